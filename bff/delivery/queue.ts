import type { Store } from '../store/open.ts';
import { prepare } from '../store/prepared.ts';
import type { OperationRow } from '../store/schema.ts';
import { duplicateInFlight } from './duplicate-in-flight.ts';

/** Which operations are due, and when the next one is. `at`: Unix milliseconds, the same for all calls of one look. */
export function createQueue({ store }: { store: Store }) {
  const all = () => store.selectFrom('operations').selectAll();

  const aheadOf = prepare(({ at }: { at: number }) =>
    store.selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom('operations').select('id').where('due_at', '<=', at)).as('is_due'),
      exists(
        selectFrom('operations')
          .select('id')
          .where('state', '=', 'sending')
          .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', at)])),
      ).as('is_stranded'),
      selectFrom('operations')
        .select(({ fn }) => fn.min('due_at').as('at'))
        .where('due_at', '>', at)
        .as('next_due'),
      selectFrom('operations')
        .select(({ fn }) => fn.min('lease_until').as('at'))
        .where('lease_until', '>', at)
        .as('next_lease_end'),
    ]),
  );
  const dueAt = prepare(({ at, limit }: { at: number; limit: number }) =>
    all()
      .where('due_at', '<=', at)
      .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', at)]))
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
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('operations as other')
              .select('other.id')
              .whereRef('other.ticket_id', '=', 'operations.ticket_id')
              .whereRef('other.id', '!=', 'operations.id')
              // By the index of tickets and states: a ticket may hold thousands that are done.
              .where('other.state', 'in', ['sending', 'accepted', 'unknown'])
              .where(({ and, eb, or, ref }) =>
                or([
                  eb('other.state', '=', 'sending'),
                  and([eb('other.seq', '<', ref('operations.seq')), eb('other.due_at', 'is not', null)]),
                ]),
              ),
          ),
        ),
      )
      .where(({ exists, not, selectFrom }) => not(exists(duplicateInFlight(selectFrom))))
      .orderBy(({ eb }) => eb('attempts', '>', 0))
      .orderBy('due_at')
      .orderBy('seq')
      .limit(limit),
  );
  const strandedAt = prepare(({ at }: { at: number }) =>
    all()
      .where('state', '=', 'sending')
      .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', at)])),
  );

  return {
    /**
     * Due operations, those never tried first, then those longest due. Left out are operations that a process has leased,
     * and those whose ticket has an earlier one to send. A reply whose ticket does not exist yet is due only if that
     * ticket was refused.
     */
    due: (at: number, limit: number): Promise<OperationRow[]> => dueAt(store, { at, limit }),

    /** Operations that are marked as being sent, but whose lease has ended. */
    stranded: (at: number): Promise<OperationRow[]> => strandedAt(store, { at }),

    /**
     * Whether anything may be due or stranded, and the next moment after `at` when something becomes due or a lease ends;
     * Infinity when nothing will.
     */
    async ahead(at: number): Promise<{ isDue: boolean; isStranded: boolean; nextAt: number }> {
      const [row] = await aheadOf(store, { at });
      const { is_due, is_stranded, next_due, next_lease_end } = row!;
      return {
        isDue: Boolean(is_due),
        isStranded: Boolean(is_stranded),
        nextAt: Math.min(next_due ?? Infinity, next_lease_end ?? Infinity),
      };
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;
