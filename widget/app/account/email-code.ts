import type { AccountOptions } from './api.ts';
import { createStore } from '../browser/storage.ts';
import { effect, signal } from '@preact/signals';
import { refOf } from '../ticket-list/names.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';

/** Stored, as long as the tab is open. */
const name = 'code';
interface SentCode {
  email: string;
  /** Milliseconds since the epoch. */
  until: number;
}
const validMs = 600_000;

/** Proves an address by a code in an e-mail, in the language of the document. */
export function createEmailCode({ api, view, clock, customer, session, tickets }: AccountOptions) {
  const { task, enter } = customer;
  const store = createStore(() => sessionStorage);
  const stored = Object(store.read(name)) as Partial<SentCode>;
  const isValid = typeof stored.email === 'string' && clock.now() < Number(stored.until);
  /**
   * The address that the code was sent to; null before one was requested. It outlives a reload: a phone may load the
   * page again after a look at the mail.
   */
  const sentTo = signal<string | null>(isValid ? stored.email! : null);
  /** Until the code has found something: what is said of that, and the list that was known before. */
  let awaited: { noneFound: string; list: readonly TicketSummary[]; isTold?: true } | null = null;
  effect(() => {
    const list = tickets.list.value;
    const known = tickets.knownBefore.value;
    if (!awaited || !known || list === awaited.list) return;
    const { said } = view;
    const { noneFound, isTold } = awaited;
    const isFound = list.some((ticket) => !ticket.colleague && !known.has(refOf(ticket)));
    if (isFound || session.current.peek()?.claimable) {
      // Tickets that were opened elsewhere, such as by mail, may come later.
      if (said.peek() === noneFound) said.value = null;
      awaited = null;
    } else if (!isTold) {
      said.value = noneFound;
      awaited.isTold = true;
    }
  });
  return {
    sentTo,
    request: (email: string) =>
      task.run(
        () => api.requestCode({ email, language: document.documentElement.lang }),
        () => {
          if (view.current.peek().name !== 'find') return;
          sentTo.value = email;
          store.write(name, { email, until: clock.now() + validMs } satisfies SentCode);
          view.moves.value += 1;
        },
      ),
    verify(code: string, noneFound: string) {
      const { next } = view.current.peek();
      return task.run(
        () => api.verifyCode(code),
        (entered) => {
          const known = new Set(tickets.list.peek().map(refOf));
          enter(entered);
          // A linked ticket that is not among them says so itself.
          awaited = next === undefined ? { noneFound, list: tickets.list.peek() } : null;
          tickets.knownBefore.value = known;
          if (next !== undefined) view.go({ name: 'thread', ref: next });
        },
      );
    },
    /** What follows is no longer about the tickets that were found. */
    settle() {
      tickets.knownBefore.value = null;
    },
    forget() {
      sentTo.value = null;
      store.remove(name);
    },
  };
}

export type EmailCodeModel = ReturnType<typeof createEmailCode>;
