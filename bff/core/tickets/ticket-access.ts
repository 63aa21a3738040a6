import { isTicketId, isUuid } from '../../../shared/contract/ids.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Grant, Grants } from './grants.ts';
import type { Operations } from './operations.ts';

declare const checked: unique symbol;

/**
 * A subject's own send that will open a ticket. Only this file creates the type, so a value proves that the right was
 * checked.
 */
export type Opening = OperationRow & { readonly [checked]: true };

/** Why a subject may use a ticket: a grant when the service has the ticket, or the send that will open it. */
export type TicketAccess = { grant: Grant } | { opening: Opening };

/**
 * Finds the access by the ticket's id, or by the key of the send that opens it, which is valid before and after the
 * ticket has an id. Null for foreign, unknown and malformed references alike.
 */
export async function findTicketAccess(
  { grants, operations }: { grants: Pick<Grants, 'find'>; operations: Pick<Operations, 'find'> },
  subjectId: string,
  ref: string,
): Promise<TicketAccess | null> {
  if (!isTicketId(ref)) return null;
  const byId = await grants.find(subjectId, ref);
  if (byId) return { grant: byId };
  const opening = isUuid(ref) ? await operations.find(subjectId, ref.toLowerCase()) : undefined;
  if (opening?.kind !== 'ticket') return null;
  if (opening.ticket_id === null) return { opening: opening as Opening };
  const grant = await grants.find(subjectId, opening.ticket_id);
  return grant && { grant };
}
