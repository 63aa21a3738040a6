import { signal } from './signal.ts';

/**
 * What the app shows. `ref` is a ticket's id, or the key of one that has none yet. `isStart`: the form, standing in
 * for the start of a customer without tickets. `find`: earlier tickets by a code; `handoff`: to another
 * device or, with the `secret` of its link, from one.
 */
export type View =
  | { name: 'start' | 'find'; ref?: never; secret?: never }
  | { name: 'handoff'; secret?: string; ref?: never }
  | { name: 'new'; isStart?: boolean; ref?: never; secret?: never }
  | { name: 'thread'; ref: string; secret?: never };

/** Where the customer is, and where focus belongs after each move. */
export function createView() {
  const current = signal<View>({ name: 'start' });
  /** The ticket that was left last: on return to a list, focus goes back to it. */
  const lastRef = signal<string | null>(null);
  /** Counts moves: at each, the view's first useful place takes focus. */
  const moves = signal(0);

  function go(view: View) {
    const { ref } = current.peek();
    if (ref !== undefined) lastRef.value = ref;
    current.value = view;
    moves.value += 1;
  }

  return {
    current,
    lastRef,
    moves,
    go,
    /** Back to the start, as if no ticket had been seen. */
    forget() {
      go({ name: 'start' });
      lastRef.value = null;
    },
    /** The form that served as the start stays the form, whatever arrives while the customer writes. */
    keepForm() {
      if (current.peek().name === 'start') current.value = { name: 'new', isStart: true };
    },
  };
}

export type ViewModel = ReturnType<typeof createView>;
