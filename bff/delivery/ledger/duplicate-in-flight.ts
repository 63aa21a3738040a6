import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../store/schema.ts';

/**
 * Another ticket with the same text that was sent without a ref and is not final yet. The service could not tell the
 * two apart, so the later one waits.
 */
export const duplicateInFlight = (selectFrom: ExpressionBuilder<Tables, 'operations'>['selectFrom']) =>
  selectFrom('operations as duplicate')
    .select('duplicate.id')
    .whereRef('duplicate.fingerprint', '=', 'operations.fingerprint')
    .where('duplicate.with_ref', '=', 0)
    .whereRef('duplicate.id', '!=', 'operations.id')
    .where(({ and, eb, or, ref }) =>
      or([
        eb('duplicate.state', '=', 'sending'),
        and([
          eb('duplicate.seq', '<', ref('operations.seq')),
          eb('duplicate.state', '=', 'unknown'),
          eb('duplicate.due_at', 'is not', null),
        ]),
      ]),
    );
