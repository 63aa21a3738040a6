import type { ExpressionBuilder } from 'kysely';
import type { Store } from '../../store/open.ts';
import { prepare } from '../../store/statements/prepared.ts';
import { keptWhileDecided } from '../../store/statements/transaction.ts';
import type { OperationRow, Tables } from '../../store/schema.ts';
import { duplicateInFlight } from './duplicate-in-flight.ts';
import { earlierOfTicket } from './earlier-of-ticket.ts';

/** The columns that every event changes. */
const outcomeColumns = ['state', 'due_at', 'error', 'attempt_age_ms', 'finished_at'] as const;
const attemptColumns = ['attempts', 'started_at', 'started_there', 'seen_ids', 'with_ref'] as const;
const upstreamColumns = ['upstream_id', 'ticket_id', 'ambiguous'] as const;

/** The service's record of a row. */
type Completion = Pick<OperationRow, (typeof upstreamColumns)[number]>;

/** The values that an event gives a row. */
export type Outcome = Pick<OperationRow, (typeof outcomeColumns)[number]>;

const newColumns = [
  'id',
  'subject_id',
  'session_id',
  'key',
  'kind',
  'fingerprint',
  'opened_by',
  'payload_sealed',
  'ref',
  'created_at',
  'address_hash',
  'owned',
] as const;
export type NewOperation = Pick<OperationRow, (typeof newColumns)[number] | 'ticket_id'>;

/** The row to change, as it was when the change was decided, and its lease from now on. */
type Changed = Pick<OperationRow, 'id' | 'fence' | 'lease_until'>;

type Operations = ExpressionBuilder<Tables, 'operations'>;
type SelectFrom = Operations['selectFrom'];

/** The grant of the operation's current sender for its ticket. */
const rightTo = (selectFrom: SelectFrom, db: Store) =>
  keptWhileDecided(
    selectFrom('grants')
      .select('grants.ticket_id')
      .whereRef('grants.ticket_id', '=', 'operations.ticket_id')
      .whereRef('grants.subject_id', '=', 'operations.subject_id'),
    db,
  );

/** The operation's current sender, if they have proven the address that it is sent under. */
const proof = (selectFrom: SelectFrom) =>
  selectFrom('subjects')
    .select('subjects.id')
    .whereRef('subjects.id', '=', 'operations.subject_id')
    .whereRef('subjects.address_hash', '=', 'operations.address_hash')
    .where('subjects.verified', '=', 1);

/**
 * Whether the operation may be sent now: no duplicate is in flight, no earlier operation of the ticket must be sent
 * first, and the sender has a grant for the ticket.
 */
const mayBegin = ({ and, eb, exists, not, or, selectFrom }: Operations, db: Store) =>
  and([
    not(exists(duplicateInFlight(selectFrom))),
    or([eb('kind', '=', 'ticket'), exists(rightTo(selectFrom, db))]),
    not(exists(earlierOfTicket(selectFrom))),
  ]);

const isProven = ({ exists, selectFrom }: Operations) => exists(proof(selectFrom)).as('is_proven');

/** The operation that a service id belongs to. */
const claimant = (selectFrom: SelectFrom, { upstream_id, ticket_id }: Completion) =>
  selectFrom('operations as claimant')
    .select('claimant.id')
    // Matches the unique index.
    .whereRef('claimant.kind', '=', 'operations.kind')
    .where('claimant.ticket_id', '=', ticket_id)
    .where('claimant.upstream_id', '=', upstream_id);

/** Copies column by column, because the placeholders for values, while a statement is built, cannot be spread. */
const pick = <Row, Column extends keyof Row>(row: Row, columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column, row[column]])) as Pick<Row, Column>;

/**
 * The statements that change one row, each built once. Each update raises the fence, and changes nothing when another
 * process was first.
 */
export function createLedgerStatements(store: Store) {
  function update<Column extends keyof OperationRow>(
    values: Changed & Pick<OperationRow, Column>,
    columns: readonly Column[],
  ) {
    const set: Partial<OperationRow> = pick(values, columns);
    return store
      .updateTable('operations')
      .set(({ eb }) => ({ ...set, lease_until: values.lease_until, fence: eb('fence', '+', 1) }))
      .where('id', '=', values.id)
      .where('fence', '=', values.fence)
      .returningAll();
  }

  return {
    /** Inserts nothing when the key is known. */
    insert: prepare((row: NewOperation) =>
      store
        .insertInto('operations')
        .values(({ fn, selectFrom, val }) => ({
          ...pick(row, newColumns),
          // The ticket may have received its id since the customer looked.
          ticket_id: fn.coalesce(
            keptWhileDecided(
              selectFrom('operations').select('ticket_id').where('id', '=', row.opened_by),
              store,
            ),
            val(row.ticket_id),
          ),
          state: 'accepted',
          attempts: 0,
          due_at: row.created_at,
        }))
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returningAll(),
    ),

    move: prepare((values: Changed & Outcome) => update(values, outcomeColumns)),
    lease: prepare((values: Changed) => update(values, [])),
    /** Changes nothing when that service id belongs to another operation. */
    complete: prepare((values: Changed & Outcome & Completion) =>
      update(values, [...outcomeColumns, ...upstreamColumns]).where(({ exists, not, selectFrom }) =>
        not(exists(claimant(selectFrom, values))),
      ),
    ),
    expire: prepare((values: Changed & Outcome & Pick<OperationRow, 'payload_sealed'>) =>
      update(values, [...outcomeColumns, 'payload_sealed']),
    ),

    /** Changes nothing when the operation may not be sent now. */
    begin: prepare((values: Changed & Outcome & Pick<OperationRow, (typeof attemptColumns)[number]>) =>
      update(values, [...outcomeColumns, ...attemptColumns])
        .where((operations) => mayBegin(operations, store))
        .returning(isProven),
    ),

    /** For a message whose sender has no grant for its ticket. */
    revoke: prepare((values: Changed & Outcome) =>
      update(values, outcomeColumns)
        .where('kind', '=', 'message')
        .where(({ exists, not, selectFrom }) => not(exists(rightTo(selectFrom, store)))),
    ),
  };
}
