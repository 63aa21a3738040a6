import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../store/schema.ts';

/**
 * An earlier ticket of the same words that went out without a ref and is not at its end: at the service nothing would
 * tell the two apart, so the later one waits.
 */
export const twinUnderway = (selectFrom: ExpressionBuilder<Tables, 'operations'>['selectFrom']) =>
  selectFrom('operations as twin')
    .select('twin.id')
    .whereRef('twin.fingerprint', '=', 'operations.fingerprint')
    .where('twin.with_ref', '=', 0)
    .whereRef('twin.id', '!=', 'operations.id')
    .where(({ and, eb, or, ref }) =>
      or([
        eb('twin.state', '=', 'sending'),
        and([
          eb('twin.seq', '<', ref('operations.seq')),
          eb('twin.state', '=', 'unknown'),
          eb('twin.due_at', 'is not', null),
        ]),
      ]),
    );
