import type { Api } from '../api/client.ts';
import { signal } from '@preact/signals';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import type { ViewModel } from '../view.ts';

interface ReadMarksOptions {
  api: Pick<Api, 'markRead'>;
  tickets: TicketsModel;
  view: ViewModel;
}

/** Marks conversations as read at the BFF, once for each newest answer. */
export function createReadMarks({ api, tickets, view }: ReadMarksOptions) {
  /** Whether the end of the conversation is in view. */
  const isAtEnd = signal(true);
  const marked = new Set<string>();
  /** Id of the first answer that was new when the customer opened the conversation or came back to it. */
  const firstNew = signal<string | null>(null);
  /** True while the customer sees the end and nothing is unread: answers that come then get no "new" line. */
  let isCaughtUp = false;
  let viewedId: string | null = null;

  async function mark(ticketId: string) {
    const unread = tickets.find(ticketId)?.unread;
    // Not up to the customer's own message: an answer before it may not have arrived here yet.
    const answers = tickets.thread(ticketId)?.messages.filter(({ author_type }) => author_type === 'agent');
    if (answers && unread === 0 && isAtEnd.value) isCaughtUp = true;
    const newest = answers?.at(-1)?.id;
    if (!newest || !unread) return;
    // There may be more unread answers than are loaded.
    if (!isCaughtUp) firstNew.value = (answers.at(-unread) ?? answers[0]!).id;
    // Preact renders after effects, in a microtask. That scrolls to the first new answer, which can move the end out of view.
    await Promise.resolve();
    await Promise.resolve();
    if (!isAtEnd.peek() || marked.has(newest)) return;
    marked.add(newest);
    const result = await api.markRead(ticketId, newest);
    // The list may know of a newer message than this conversation, so the BFF counts what is left unread.
    if (result.ok) tickets.put(result.value);
    else marked.delete(newest);
  }

  return {
    isAtEnd,
    firstNew,
    /** An effect: each view begins at its end. */
    onViewChange() {
      if (view.current.value) isAtEnd.value = true;
    },
    /** `ticketId`: the conversation in view, if any; `isSeen`: it is loaded and on screen. */
    update(ticketId: string | null, isSeen: boolean) {
      if (ticketId !== viewedId) firstNew.value = null;
      if (ticketId !== viewedId || !isSeen || !isAtEnd.value) isCaughtUp = false;
      viewedId = ticketId;
      if (ticketId !== null && isSeen) void mark(ticketId);
    },
  };
}
