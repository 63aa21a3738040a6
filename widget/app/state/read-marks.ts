import type { Api } from '../api/client.ts';
import type { TicketsModel } from './tickets.ts';

/** Tells the BFF how far each conversation was read, once for each newest message. */
export function createReadMarks({ api, tickets }: { api: Api; tickets: TicketsModel }) {
  const marked = new Map<string, string>();

  return {
    /** The end of the conversation is before the customer's eyes. */
    async mark(ticketId: string): Promise<void> {
      const ticket = tickets.thread(ticketId);
      const newest = ticket?.messages.findLast(({ id }) => id !== null)?.id;
      // What could not be read from the service has not been on screen.
      if (!newest || !ticket?.read_at || marked.get(ticketId) === newest || !tickets.find(ticketId)?.unread)
        return;
      marked.set(ticketId, newest);
      const result = await api.markRead(ticketId, newest);
      // The list may know of a newer message than the conversation here: only the BFF can count what is left.
      if (result.ok) tickets.change(ticketId, { unread: result.value.unread });
      else marked.delete(ticketId);
    },
  };
}
