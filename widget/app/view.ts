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
  | Place<'start' | 'data'>
  | Place<'find', { next?: string; isOver?: true }>
  | Place<'handoff', { secret?: string }>
  | Place<'new', { isStart?: boolean }>
  | Place<'thread', { ref: string }>
  | Place<'search', { back: View }>
  | Place<'article', { id: string; part?: string | undefined; back: View }>;

/** What some views have can be read of all. */
type Place<Name, Own = object> = { name: Name } & Own &
  Partial<Record<Exclude<'ref' | 'secret' | 'next' | 'back', keyof Own>, never>>;

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
