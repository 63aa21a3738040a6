import type { Db } from '../db/open.ts';
import type { Priority, Status } from './model.ts';

/**
 * `needs-answer`: the last public message is the customer's, and nobody has solved or closed the ticket since. `mine` and
 * `unassigned`: by assignee, without tickets that are done with.
 */
export const ticketFilters = [
  'needs-answer',
  'mine',
  'unassigned',
  'new',
  'open',
  'pending',
  'solved',
  'closed',
  'all',
] as const;
export type TicketFilter = (typeof ticketFilters)[number];

/** A ticket as the desk lists it. */
export interface TicketRow {
  id: string;
  ticket_number: number;
  subject: string;
  status: Status;
  priority: Priority;
  updated_at: string;
  needs_answer: boolean;
  is_merged: boolean;
  customer_email: string;
  customer_name: string | null;
  assignee_email: string | null;
  /** Newest public text and who wrote it. */
  last_author: 'customer' | 'agent';
  last_text: string;
}

/** SQLite has no booleans. */
type StoredRow = Omit<TicketRow, 'needs_answer' | 'is_merged'> & { needs_answer: number; is_merged: number };

const previewLength = 160;

const undone = `(t.needs_answer = 1 OR t.status NOT IN ('solved', 'closed'))`;

const filterSql: Record<TicketFilter, string> = {
  'needs-answer': 't.merged_into IS NULL AND t.needs_answer = 1',
  mine: `t.merged_into IS NULL AND t.assignee_id = @agentId AND ${undone}`,
  unassigned: `t.merged_into IS NULL AND t.assignee_id IS NULL AND ${undone}`,
  new: `t.merged_into IS NULL AND t.status = 'new'`,
  open: `t.merged_into IS NULL AND t.status = 'open'`,
  pending: `t.merged_into IS NULL AND t.status = 'pending'`,
  solved: `t.merged_into IS NULL AND t.status = 'solved'`,
  closed: `t.merged_into IS NULL AND t.status = 'closed'`,
  all: '1 = 1',
};

/** Urgent and high priority come first while they need an answer. */
const orderSql = `(t.ticket_number = @number) DESC, CASE WHEN t.needs_answer = 0 THEN 0 ELSE CASE t.priority WHEN 'urgent' THEN 2 WHEN 'high' THEN 1 ELSE 0 END END DESC,
  t.updated_at DESC, t.ticket_number DESC`;

/** Texts by `contains`; the line for agents only by a whole ref, since most such lines have the same words. */
const searchSql = (contains: 'contains_folded' | 'contains_word') => `AND (t.ticket_number = @number
  OR EXISTS (SELECT 1 FROM customers c WHERE c.id = t.customer_id
             AND (${contains}(c.email, @search) OR ${contains}(c.name, @search)))
  OR ${contains}(t.subject, @search)
  OR ${contains}(own_words(t.description), @search)
  OR (@isRef AND contains_folded(t.description, @search))
  OR EXISTS (SELECT 1 FROM messages m WHERE m.ticket_id = t.id AND ${contains}(m.body, @search)))`;

/** What a list shows: to one agent, since `mine` differs. */
export interface TicketQuery {
  agent: { id: string; workspace_id: string };
  filter: TicketFilter;
  search: string;
}

/** The condition and the order of a list, with their values. */
function listSql({ agent, filter, search }: TicketQuery) {
  const typed = search.trim().toLowerCase();
  const number = /^#?(\d{1,15})$/.exec(typed)?.[1];
  const found = typed === '' ? '' : searchSql(number === undefined ? 'contains_folded' : 'contains_word');
  return {
    where: `t.workspace_id = @workspaceId AND ${filterSql[filter]} ${found}`,
    values: {
      workspaceId: agent.workspace_id,
      agentId: agent.id,
      search: number ?? typed,
      number: number === undefined ? 0 : Number(number),
      isRef: /^ds-[\da-z]{12}$/.test(typed) ? 1 : 0,
    },
  };
}

/**
 * Tickets by newest activity, those that are urgent and need an answer first. `search` finds subjects, names, addresses
 * and texts. A number (`12`, `#12`) finds the ticket with it, which comes first, and texts where it is a whole word.
 */
export function searchTickets(
  db: Db,
  query: TicketQuery,
  { offset, limit }: { offset: number; limit: number },
): TicketRow[] {
  const { where, values } = listSql(query);
  const rows = db
    .prepare<object, StoredRow>(
      `SELECT t.id, t.ticket_number, t.subject, t.status, t.priority, t.updated_at, t.needs_answer,
              t.merged_into IS NOT NULL AS is_merged, c.email AS customer_email, c.name AS customer_name,
              a.email AS assignee_email,
              coalesce(last.author_type, 'customer') AS last_author,
              substr(coalesce(last.body, own_words(t.description)), 1, ${previewLength}) AS last_text
       FROM tickets t JOIN customers c ON c.id = t.customer_id
       LEFT JOIN agents a ON a.id = t.assignee_id
       LEFT JOIN messages last ON last.seq =
         (SELECT max(seq) FROM messages WHERE ticket_id = t.id AND is_internal = 0)
       WHERE t.rowid IN (
         SELECT t.rowid FROM tickets t WHERE ${where}
         ORDER BY ${orderSql} LIMIT @limit OFFSET @offset)
       ORDER BY ${orderSql}`,
    )
    .all({ ...values, limit, offset });
  return rows.map(toRow);
}

function toRow(stored: StoredRow): TicketRow {
  return { ...stored, needs_answer: stored.needs_answer === 1, is_merged: stored.is_merged === 1 };
}

/**
 * The ticket of a list that needs an answer and comes after `ticketId`, else the first one that does; null when no other
 * ticket of the list needs an answer.
 */
export function findNextTicket(db: Db, query: TicketQuery, ticketId: string): string | null {
  const { where, values } = listSql(query);
  const ids = db
    .prepare<object, string>(
      `SELECT t.id FROM tickets t
       WHERE ${where} AND t.merged_into IS NULL AND (t.needs_answer = 1 OR t.id = @ticketId) ORDER BY ${orderSql}`,
    )
    .pluck()
    .all({ ...values, ticketId });
  const others = ids.filter((id) => id !== ticketId);
  return others[ids.indexOf(ticketId)] ?? others[0] ?? null;
}

/** How many tickets each filter finds. */
export function countTickets(db: Db, agent: TicketQuery['agent']): Record<TicketFilter, number> {
  const sums = ticketFilters.map((filter) => `count(*) FILTER (WHERE ${filterSql[filter]}) AS "${filter}"`);
  return db
    .prepare<object, Record<TicketFilter, number>>(
      `SELECT ${sums.join(', ')} FROM tickets t WHERE t.workspace_id = @workspaceId`,
    )
    .get({ workspaceId: agent.workspace_id, agentId: agent.id })!;
}
