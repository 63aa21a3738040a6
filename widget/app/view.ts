import { action, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { Store } from './browser/storage.ts';

/**
 * The view on screen.
 * - `new`: the form; `isStart`: it is the start view of a customer without tickets.
 * - `thread`: a ticket; `ref`: see `refOf`.
 * - `find`: earlier tickets, by a code; `next`: the ticket to show then; `isOver`: after a link that no longer works.
 * - `article`, `search`: an article by its id, and the search for one; `part`: id of the heading to begin at; `back`:
 *   where they were opened.
 * - `data`: what is stored of the customer, and their devices.
 * - `handoff`: tickets to another device or, with the `secret` of that device's link, from it.
 */
export type View =
  | { name: 'start' | 'data'; ref?: never; secret?: never; next?: never; back?: never }
  | { name: 'find'; next?: string; isOver?: true; ref?: never; secret?: never; back?: never }
  | { name: 'handoff'; secret?: string; ref?: never; next?: never; back?: never }
  | { name: 'new'; isStart?: boolean; ref?: never; secret?: never; next?: never; back?: never }
  | { name: 'thread'; ref: string; secret?: never; next?: never; back?: never }
  | { name: 'search'; back: View; ref?: never; secret?: never; next?: never }
  | {
      name: 'article';
      id: string;
      part?: string | undefined;
      back: View;
      ref?: never;
      secret?: never;
      next?: never;
    };

/** Navigation between views. */
export function createView() {
  const current = signal<View>({ name: 'start' });
  /** The ticket that was on screen last: its row gets the focus on return to the list. */
  const lastRef = signal<string | null>(null);
  /** Number of navigations. At each change, the view's first useful element takes the focus. */
  const moves = signal(0);

  /** What was just done or refused, in one sentence. It is shown until the customer goes to another view. */
  const said = signal<string | null>(null);

  const go = action((view: View) => {
    said.value = null;
    const { ref } = current.peek();
    if (ref !== undefined) lastRef.value = ref;
    current.value = view;
    moves.value += 1;
  });

  return {
    current,
    lastRef,
    moves,
    said,
    go,
    /** Goes to the start and forgets which ticket was on screen last. */
    forget: action(() => {
      go({ name: 'start' });
      lastRef.value = null;
    }),
    /** Keeps the form on screen when tickets arrive while the customer writes in it. */
    keepForm() {
      if (current.peek().name === 'start') current.value = { name: 'new', isStart: true };
    },
  };
}

export type ViewModel = ReturnType<typeof createView>;

/** Stored as long as the tab: the conversation that is open in the panel. */
const openName = 'thread';

/**
 * Shows the conversation again that was open in the panel on the last page of this visit, unless the customer has
 * opened another view already. `store`: kept as long as the tab.
 */
export function resumeThread(
  { current, go }: ViewModel,
  isOpen: ReadonlySignal<boolean>,
  store: Store,
): void {
  const ref = store.read(openName);
  if (typeof ref === 'string' && current.peek().name === 'start') go({ name: 'thread', ref });
  effect(() => {
    const open = isOpen.value ? current.value.ref : undefined;
    if (open === undefined) store.remove(openName);
    else store.write(openName, open);
  });
}
