import type { Api } from '../api/client.ts';
import type { TicketsModel } from './tickets.ts';

/** Tells the BFF how far each conversation was read, once for each newest answer. */
export function createReadMarks({ api, tickets }: { api: Api; tickets: TicketsModel }) {
  const marked = new Set<string>();

  return {
    /** The end of the conversation is before the customer's eyes. */
    async mark(ticketId: string): Promise<void> {
      // Not the customer's own: the BFF may know of an answer before it that is not here yet.
      const newest = tickets
        .thread(ticketId)
        ?.messages.findLast(({ author_type }) => author_type === 'agent')?.id;
      if (!newest || marked.has(newest) || !tickets.find(ticketId)?.unread) return;
      marked.add(newest);
      const result = await api.markRead(ticketId, newest);
      // The list may know of a newer message than the conversation here: only the BFF can count what is left.
      if (result.ok) tickets.put(result.value);
      else marked.delete(newest);
    },
  };
}
