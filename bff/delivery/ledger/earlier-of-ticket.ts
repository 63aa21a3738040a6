import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../store/schema.ts';
import { notDone } from './not-done.ts';

/**
 * Earlier operations of the same ticket that must end first: those being sent, and those written earlier whose
 * customer does not have to decide.
 */
export const earlierOfTicket = (selectFrom: ExpressionBuilder<Tables, 'operations'>['selectFrom']) =>
  selectFrom('operations as other')
    .select('other.id')
    .whereRef('other.ticket_id', '=', 'operations.ticket_id')
    .whereRef('other.id', '!=', 'operations.id')
    .where(notDone('other'))
    .where('other.state', 'in', ['sending', 'accepted', 'unknown'])
    .where(({ and, eb, or, ref }) =>
      or([
        eb('other.state', '=', 'sending'),
        and([eb('other.seq', '<', ref('operations.seq')), eb('other.due_at', 'is not', null)]),
      ]),
    );
