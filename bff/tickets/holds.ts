import { isTicketId, isUuid } from '../contract/ids.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Grant, Grants } from './grants.ts';
import type { Operations } from './operations.ts';

declare const checked: unique symbol;

/** A subject's own send that is to open a ticket. Made only here: whoever holds one has been checked. */
export type Opening = OperationRow & { readonly [checked]: true };

/** What a subject has of a ticket: the right to one that the service holds, or what is to open it. */
export type Hold = { grant: Grant } | { opening: Opening };

/**
 * Finds it by the ticket's id, or by the key that opens it, which names the ticket before and after it has an id. Null
 * for what is foreign, unknown or malformed alike.
 */
export async function findHold(
  { grants, operations }: { grants: Pick<Grants, 'find'>; operations: Pick<Operations, 'find'> },
  subjectId: string,
  ref: string,
): Promise<Hold | null> {
  if (!isTicketId(ref)) return null;
  const byId = await grants.find(subjectId, ref);
  if (byId) return { grant: byId };
  const opening = isUuid(ref) ? await operations.find(subjectId, ref.toLowerCase()) : undefined;
  if (opening?.kind !== 'ticket') return null;
  if (opening.ticket_id === null) return { opening: opening as Opening };
  const grant = await grants.find(subjectId, opening.ticket_id);
  return grant && { grant };
}
