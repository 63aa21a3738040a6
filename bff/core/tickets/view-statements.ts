import type { Store } from '../store/open.ts';
import { listOf } from '../store/dialect.ts';
import { prepare } from '../store/statements/prepared.ts';
import { prepareRead } from '../store/statements/reads-together.ts';
import { trustedColumn } from './grants.ts';
import { type OpeningRow, underwayTickets } from './operations.ts';

/** A ticket that the service has, as one holder's list shows it. */
export interface DeliveredRow {
  id: string;
  closed: number;
  agent_count: number;
  read_count: number;
  /** 1 when a colleague has opened it. */
  colleague: number;
  /** The key of the subject's own send that opened the ticket. */
  key: string | null;
  /** When the subject's own newest message was sent. */
  wrote_at: number | null;
}

type ListRow = (DeliveredRow & { facts_sealed: string }) | (OpeningRow & { facts_sealed: null });

/** The columns of the two halves of the list's union, without `key`, which is in both. */
const deliveredColumns = [
  'id',
  'closed',
  'facts_sealed',
  'agent_count',
  'read_count',
  'colleague',
  'wrote_at',
] as const;
const openingColumns = ['payload_sealed', 'created_at', 'state', 'due_at', 'error'] as const;

/** The reads for views, one statement each. */
export function createViewStatements(store: Store) {
  const held = () => store.selectFrom('grants').innerJoin('tickets', 'tickets.id', 'grants.ticket_id');

  const delivered = (subjectId: string) =>
    held()
      .leftJoin('operations', (join) =>
        join
          .onRef('operations.upstream_id', '=', 'tickets.id')
          // Matches the unique index.
          .onRef('operations.ticket_id', '=', 'tickets.id')
          .onRef('operations.subject_id', '=', 'grants.subject_id')
          .on('operations.kind', '=', 'ticket'),
      )
      .select(['operations.key', 'tickets.id', 'tickets.closed', 'facts_sealed', 'agent_count', 'read_count'])
      .select('colleague')
      .select(({ selectFrom }) =>
        selectFrom('operations as own')
          .select(({ fn }) => fn.max('own.finished_at').as('at'))
          .whereRef('own.ticket_id', '=', 'tickets.id')
          .whereRef('own.subject_id', '=', 'grants.subject_id')
          .where('own.kind', '=', 'message')
          .as('wrote_at'),
      )
      .where('grants.subject_id', '=', subjectId);

  return {
    /** A subject's tickets: those that the service has, and those that are underway. */
    list: prepareRead(({ subjectId }: { subjectId: string }) =>
      delivered(subjectId)
        .select(({ lit }) => openingColumns.map((column) => lit(null).as(column)))
        .$castTo<ListRow>()
        .unionAll(
          underwayTickets(store, subjectId)
            .select('key')
            .select(({ lit }) => deliveredColumns.map((column) => lit(null).as(column)))
            .select(openingColumns)
            .$castTo<ListRow>(),
        ),
    ),

    /** A ticket with all sends of its holder to it, oldest first. No rows for other subjects. */
    held: prepareRead((of: { subjectId: string; ticketId: string }) =>
      held()
        .leftJoin('operations', (join) =>
          join
            .onRef('operations.ticket_id', '=', 'tickets.id')
            .onRef('operations.subject_id', '=', 'grants.subject_id'),
        )
        .selectAll('operations')
        .select(['tickets.closed', 'facts_sealed', 'agent_count', 'read_count', 'colleague'])
        .select(trustedColumn())
        .where('grants.subject_id', '=', of.subjectId)
        .where('grants.ticket_id', '=', of.ticketId)
        .orderBy('operations.seq'),
    ),

    /** The number of unread messages of each of these subjects. Subjects without any are left out. */
    unread: prepareRead((of: { subjectIds: string }) =>
      held()
        .select(({ eb, fn }) => [
          'grants.subject_id',
          fn.sum<number>(eb('agent_count', '-', eb.ref('read_count'))).as('count'),
        ])
        .where('grants.subject_id', 'in', listOf(store, of.subjectIds))
        .whereRef('agent_count', '>', 'read_count')
        .where('colleague', '=', 0)
        .groupBy('grants.subject_id'),
    ),

    ticket: prepare(({ ticketId }: { ticketId: string }) =>
      store
        .selectFrom('tickets')
        .select(['id', 'closed', 'facts_sealed', 'agent_count'])
        .where('id', '=', ticketId),
    ),
  };
}
