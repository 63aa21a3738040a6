import { effect } from '@preact/signals';
import type { Store } from '../browser/storage.ts';
import type { Core } from '../core.ts';

const name = 'thread';

/**
 * Shows the conversation again that was open in the panel on the last page of this visit, unless the customer has
 * opened another view already. `store`: kept as long as the tab.
 */
export function resumeThread({ view, isOpen }: Pick<Core, 'view' | 'isOpen'>, store: Store): void {
  const ref = store.read(name);
  if (typeof ref === 'string' && view.current.peek().name === 'start') view.go({ name: 'thread', ref });
  effect(() => {
    const current = isOpen.value ? view.current.value.ref : undefined;
    if (current === undefined) store.remove(name);
    else store.write(name, current);
  });
}
