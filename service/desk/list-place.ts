import type { Context } from 'hono';
import { ticketFilters, type TicketFilter } from '../tickets/search-tickets.ts';

/**
 * Which list an agent is in, or came from. It is in the address of the list and of each ticket that was opened from it,
 * so that two tabs do not disturb each other.
 */
export interface ListPlace {
  filter: TicketFilter;
  search: string;
}

export const firstFilter = 'needs-answer';

export function readListPlace(c: Context): ListPlace {
  return {
    filter: ticketFilters.find((name) => name === c.req.query('status')) ?? firstFilter,
    search: c.req.query('q')?.trim() ?? '',
  };
}

/** `path` with the list, and `more`, as its query. */
export function withList(path: string, { filter, search }: ListPlace, more: Record<string, string> = {}) {
  const params = new URLSearchParams();
  if (filter !== firstFilter) params.set('status', filter);
  if (search !== '') params.set('q', search);
  for (const [name, value] of Object.entries(more)) params.set(name, value);
  return params.size > 0 ? `${path}?${params.toString()}` : path;
}
