import type { Api } from '../api/client.ts';
import type { ReadonlySignal } from './signal.ts';
import { signal } from './signal.ts';
import type { TicketsModel } from './tickets.ts';

interface ReadMarksOptions {
  api: Pick<Api, 'markRead'>;
  tickets: TicketsModel;
  /** The end of the conversation on screen is in sight. */
  isAtEnd: ReadonlySignal<boolean>;
}

/** Tells the BFF how far each conversation was read, once for each newest answer. */
export function createReadMarks({ api, tickets, isAtEnd }: ReadMarksOptions) {
  const marked = new Set<string>();
  /** Where reading had stopped: the first answer that was new when the customer came, or came back. */
  const firstNew = signal<string | null>(null);
  /** True while nothing is new to eyes that rest on the end: what comes then needs no mark. */
  let isCaughtUp = false;
  let viewedId: string | null = null;

  async function mark(ticketId: string) {
    const unread = tickets.find(ticketId)?.unread;
    // Not the customer's own: the BFF may know of an answer before it that is not here yet.
    const answers = tickets.thread(ticketId)?.messages.filter(({ author_type }) => author_type === 'agent');
    if (answers && unread === 0 && isAtEnd.value) isCaughtUp = true;
    const newest = answers?.at(-1)?.id;
    if (!newest || !unread) return;
    // There may be more than are here.
    if (!isCaughtUp) firstNew.value = (answers.at(-unread) ?? answers[0]!).id;
    // Once it is drawn, reading starts at the first of them: the end may be out of sight then.
    await Promise.resolve();
    if (!isAtEnd.peek() || marked.has(newest)) return;
    marked.add(newest);
    const result = await api.markRead(ticketId, newest);
    // The list may know of a newer message than the conversation here: only the BFF can count what is left.
    if (result.ok) tickets.put(result.value);
    else marked.delete(newest);
  }

  return {
    firstNew,
    /** `ticketId`: the conversation in view, if any; `isSeen`: it is here, and before the customer's eyes. */
    look(ticketId: string | null, isSeen: boolean) {
      if (ticketId !== viewedId) firstNew.value = null;
      if (ticketId !== viewedId || !isSeen || !isAtEnd.value) isCaughtUp = false;
      viewedId = ticketId;
      if (ticketId !== null && isSeen) void mark(ticketId);
    },
  };
}
