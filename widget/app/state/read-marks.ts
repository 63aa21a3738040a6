import type { Api } from '../api/client.ts';
import { signal } from './signal.ts';
import type { TicketsModel } from './tickets.ts';

/** Tells the BFF how far each conversation was read, once for each newest answer. */
export function createReadMarks({ api, tickets }: { api: Api; tickets: TicketsModel }) {
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
    if (answers && unread === 0) isCaughtUp = true;
    const newest = answers?.at(-1)?.id;
    if (!newest || !unread) return;
    if (!isCaughtUp) firstNew.value = answers.at(-unread)?.id ?? null;
    if (marked.has(newest)) return;
    marked.add(newest);
    const result = await api.markRead(ticketId, newest);
    // The list may know of a newer message than the conversation here: only the BFF can count what is left.
    if (result.ok) tickets.put(result.value);
    else marked.delete(newest);
  }

  return {
    firstNew,
    /** `ticketId`: the conversation on screen, if any; `isAtEnd`: its end is before the customer's eyes. */
    look(ticketId: string | null, isAtEnd: boolean) {
      if (ticketId !== viewedId) firstNew.value = null;
      if (ticketId !== viewedId || !isAtEnd) isCaughtUp = false;
      viewedId = ticketId;
      if (ticketId !== null && isAtEnd) void mark(ticketId);
    },
  };
}
