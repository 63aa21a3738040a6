import type { Db } from '../db/open.ts';
import type { Priority, Status } from './model.ts';

/** `active` is what still needs somebody: new, open, pending, and any ticket with an unread reply. */
export const ticketFilters = ['active', 'new', 'open', 'pending', 'solved', 'closed', 'all'] as const;
export type TicketFilter = (typeof ticketFilters)[number];

/** A ticket as the desk lists it. */
export interface TicketRow {
  id: string;
  ticket_number: number;
  subject: string;
  status: Status;
  priority: Priority;
  updated_at: string;
  is_unread: boolean;
  is_merged: boolean;
  customer_email: string;
  customer_name: string | null;
  /** Newest public text and who wrote it. */
  last_author: 'customer' | 'agent';
  last_text: string;
}

/** SQLite has no booleans. */
type StoredRow = Omit<TicketRow, 'is_unread' | 'is_merged'> & { is_unread: number; is_merged: number };

const previewLength = 160;

const filterSql: Record<TicketFilter, string> = {
  active: `t.merged_into IS NULL AND (t.status IN ('new', 'open', 'pending') OR t.is_unread = 1)`,
  new: `t.merged_into IS NULL AND t.status = 'new'`,
  open: `t.merged_into IS NULL AND t.status = 'open'`,
  pending: `t.merged_into IS NULL AND t.status = 'pending'`,
  solved: `t.merged_into IS NULL AND t.status = 'solved'`,
  closed: `t.merged_into IS NULL AND t.status = 'closed'`,
  all: '1 = 1',
};

const searchSql = `(@search = '' OR CAST(t.ticket_number AS TEXT) = @number
  OR contains_folded(t.subject, @search) OR contains_folded(c.email, @search) OR contains_folded(c.name, @search)
  OR contains_folded(t.description, @search)
  OR EXISTS (SELECT 1 FROM messages m WHERE m.ticket_id = t.id AND contains_folded(m.body, @search)))`;

/** Tickets by newest activity. `search` finds numbers (`12`, `#12`), subjects, names, addresses and texts. */
export function searchTickets(
  db: Db,
  workspaceId: string,
  query: { filter: TicketFilter; search: string; offset: number; limit: number },
): TicketRow[] {
  const search = query.search.trim().toLowerCase();
  const rows = db
    .prepare<object, StoredRow>(
      `SELECT t.id, t.ticket_number, t.subject, t.status, t.priority, t.updated_at, t.is_unread,
              t.merged_into IS NOT NULL AS is_merged, c.email AS customer_email, c.name AS customer_name,
              coalesce(last.author_type, 'customer') AS last_author,
              substr(coalesce(last.body, t.description), 1, ${previewLength}) AS last_text
       FROM tickets t JOIN customers c ON c.id = t.customer_id
       LEFT JOIN messages last ON last.seq =
         (SELECT max(seq) FROM messages WHERE ticket_id = t.id AND is_internal = 0)
       WHERE t.workspace_id = @workspaceId AND ${filterSql[query.filter]} AND ${searchSql}
       ORDER BY t.updated_at DESC, t.ticket_number DESC LIMIT @limit OFFSET @offset`,
    )
    .all({ workspaceId, search, number: search.replace(/^#/, ''), limit: query.limit, offset: query.offset });
  return rows.map(toRow);
}

function toRow(stored: StoredRow): TicketRow {
  return { ...stored, is_unread: stored.is_unread === 1, is_merged: stored.is_merged === 1 };
}

/** How many tickets each filter holds. */
export function countTickets(db: Db, workspaceId: string): Record<TicketFilter, number> {
  const sums = ticketFilters.map((filter) => `count(*) FILTER (WHERE ${filterSql[filter]}) AS "${filter}"`);
  return db
    .prepare<[string], Record<TicketFilter, number>>(
      `SELECT ${sums.join(', ')} FROM tickets t WHERE t.workspace_id = ?`,
    )
    .get(workspaceId)!;
}
