import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Store } from '../store/open.ts';
import { prepare } from '../store/statements/prepared.ts';
import type { OperationRow, Tables } from '../store/schema.ts';

/*
 * Which sends may go next. It reads the table and changes nothing: `ledger.ts` claims what is found here, under the same
 * conditions.
 */

type SelectFrom = ExpressionBuilder<Tables, 'operations'>['selectFrom'];

/**
 * Selects operations that are not done; the statement calls the table `name`. Written exactly as in the index
 * `operations_not_done`. Most operations are done, and a ticket may have thousands of them. A condition with a
 * parameter could not use the index.
 */
export const notDone = (name: 'operations' | 'other') => sql<SqlBool>`${sql.ref(`${name}.state`)} != 'done'`;

/** Whether an operation is not tried again without a decision: `canRetry`, for a statement. */
export const isUndecided = ({ and, eb }: ExpressionBuilder<Tables, 'operations'>) =>
  and([notDone('operations'), eb('state', 'in', ['accepted', 'unknown']), eb('due_at', 'is', null)]);

/**
 * Another ticket with the same text that was sent without a ref and is not final yet. The service could not tell the
 * two apart, so the later one waits.
 */
export const duplicateInFlight = (selectFrom: SelectFrom) =>
  selectFrom('operations as duplicate')
    .select('duplicate.id')
    .whereRef('duplicate.fingerprint', '=', 'operations.fingerprint')
    .where('duplicate.with_ref', '=', sql.lit(0))
    .whereRef('duplicate.id', '!=', 'operations.id')
    .where(({ and, eb, or, ref }) =>
      or([
        eb('duplicate.state', '=', sql.lit('sending')),
        and([
          eb('duplicate.seq', '<', ref('operations.seq')),
          eb('duplicate.state', '=', sql.lit('unknown')),
          eb('duplicate.due_at', 'is not', null),
        ]),
      ]),
    );

/**
 * Earlier operations of the same ticket that must end first: those being sent, and those written earlier whose
 * customer does not have to decide.
 */
export const earlierOfTicket = (selectFrom: SelectFrom) =>
  selectFrom('operations as other')
    .select('other.id')
    .whereRef('other.ticket_id', '=', 'operations.ticket_id')
    .whereRef('other.id', '!=', 'operations.id')
    .where(notDone('other'))
    .where('other.state', 'in', ['sending', 'accepted', 'unknown'])
    .where(({ and, eb, or, ref }) =>
      or([
        eb('other.state', '=', sql.lit('sending')),
        and([eb('other.seq', '<', ref('operations.seq')), eb('other.due_at', 'is not', null)]),
      ]),
    );

/** Whether an operation is due and was never attempted, as far as its row tells: others of its ticket may come first. */
export const isUntriedAndDue = (row: OperationRow, at: number) =>
  row.state === 'accepted' &&
  row.attempts === 0 &&
  row.due_at !== null &&
  row.due_at <= at &&
  (row.kind === 'ticket' || row.ticket_id !== null);

const isUnleased =
  (at: number) =>
  ({ eb, or }: ExpressionBuilder<Tables, 'operations'>) =>
    or([eb('lease_until', 'is', null), eb('lease_until', '<=', at)]);

/** Which operations are due, and when the next one is. `at`: Unix milliseconds, the same for all calls of one poll. */
export function createQueue({ store }: { store: Store }) {
  const all = () => store.selectFrom('operations').selectAll();
  const abandonedAt = (at: number) => all().where('state', '=', sql.lit('sending')).where(isUnleased(at));

  const ahead = (at: number) =>
    store.selectNoFrom(({ exists, selectFrom }) => [
      exists(abandonedAt(at)).as('is_abandoned'),
      selectFrom('operations')
        .select(({ fn }) => fn.min('due_at').as('at'))
        .where('due_at', '>', at)
        .as('next_due'),
      selectFrom('operations')
        .select(({ fn }) => fn.min('lease_until').as('at'))
        .where('lease_until', '>', at)
        .as('next_lease_end'),
    ]);
  const due = (at: number, limit: number) =>
    all()
      .where('due_at', '<=', at)
      .where(isUnleased(at))
      .where(({ eb, exists, or, selectFrom }) =>
        or([
          eb('kind', '=', 'ticket'),
          eb('ticket_id', 'is not', null),
          exists(
            selectFrom('operations as opening')
              .select('opening.id')
              .whereRef('opening.id', '=', 'operations.opened_by')
              .where('opening.state', '=', 'rejected'),
          ),
        ]),
      )
      .where(({ exists, not, selectFrom }) => not(exists(earlierOfTicket(selectFrom))))
      .where(({ exists, not, selectFrom }) => not(exists(duplicateInFlight(selectFrom))))
      .orderBy(({ eb }) => eb('attempts', '>', 0))
      .orderBy('due_at')
      .orderBy('seq')
      .limit(limit);
  const pollAt = prepare(({ at, limit }: { at: number; limit: number }) =>
    store
      .selectFrom(ahead(at).as('ahead'))
      .leftJoin(due(at, limit).as('due'), (join) => join.onTrue())
      .selectAll(['due', 'ahead'])
      .orderBy(({ eb }) => eb('due.attempts', '>', 0))
      .orderBy('due.due_at')
      .orderBy('due.seq'),
  );

  return {
    /**
     * `due`: up to `limit` due operations: first those never tried, then by due time. Leased operations are left out.
     * So are operations whose ticket must send an earlier operation first. A reply whose ticket does not exist yet is
     * due only if that ticket was refused. `hasAbandoned`: an operation is marked as being sent, but its lease has
     * ended. `nextAt`: the next time after `at` when an operation becomes due or a lease ends; Infinity when there is
     * none.
     */
    async poll(
      at: number,
      limit: number,
    ): Promise<{ due: OperationRow[]; hasAbandoned: boolean; nextAt: number }> {
      const rows = await pollAt(store, { at, limit });
      const { is_abandoned, next_due, next_lease_end } = rows[0]!;
      return {
        due: rows.filter((row) => row.id !== null) as OperationRow[],
        hasAbandoned: Boolean(is_abandoned),
        nextAt: Math.min(next_due ?? Infinity, next_lease_end ?? Infinity),
      };
    },

    /** Operations that are marked as being sent, but whose lease has ended. */
    abandoned: (at: number): Promise<OperationRow[]> => abandonedAt(at).execute(),

    /** Whether an earlier send of the same ticket has failed, and waits for its next attempt. */
    async isBehindFailed({ ticket_id, seq }: OperationRow): Promise<boolean> {
      const failed = await all()
        .where('ticket_id', '=', ticket_id)
        .where(notDone('operations'))
        .where('state', '=', 'accepted')
        .where('attempts', '>', 0)
        .where('due_at', 'is not', null)
        .where('seq', '<', seq)
        .executeTakeFirst();
      return failed !== undefined;
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
