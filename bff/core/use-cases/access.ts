import { isTicketId, isUuid } from '../../../shared/contract/ids.ts';
import { AppError } from '../errors.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Grant, Grants } from '../tickets/grants.ts';
import type { Operations } from '../tickets/operations.ts';
import { sessionOf, type Visitor } from './visitor.ts';

declare const checked: unique symbol;

/**
 * A subject's own send that will open a ticket. Only this file creates the type, so a value proves that the right was
 * checked.
 */
type Opening = OperationRow & { readonly [checked]: true };

/** Why a subject may use a ticket: a grant when the service has the ticket, or the send that will open it. */
export type TicketAccess = { grant: Grant } | { opening: Opening };

/** Finds out whether a visitor may use a ticket, and why. It reads no ticket. */
export function createAccess({ grants, operations }: { grants: Grants; operations: Operations }) {
  /**
   * The visitor's access to one ticket, for reading.
   * @param ref its id, or the key of the send that opens it, which is valid before and after the ticket has an id
   * @throws {AppError} the same `not_found` for a foreign, an unknown and a malformed reference
   */
  async function findReadable(visitor: Visitor, ref: string): Promise<TicketAccess> {
    const { subjectId } = sessionOf(visitor);
    if (!isTicketId(ref)) throw new AppError('not_found');
    const byId = await grants.find(subjectId, ref);
    if (byId) return { grant: byId };
    const opening = isUuid(ref) ? await operations.find(subjectId, ref.toLowerCase()) : undefined;
    if (opening?.kind !== 'ticket') throw new AppError('not_found');
    if (opening.ticket_id === null) return { opening: opening as Opening };
    const grant = await grants.find(subjectId, opening.ticket_id);
    if (!grant) throw new AppError('not_found');
    return { grant };
  }

  /**
   * The visitor's access to a ticket of their own.
   * @throws {AppError} `not_found` as for `findReadable`, and for the ticket of a colleague, which is only for reading
   */
  async function findOwn(visitor: Visitor, ref: string): Promise<TicketAccess> {
    const access = await findReadable(visitor, ref);
    if ('grant' in access && access.grant.isColleague) throw new AppError('not_found');
    return access;
  }

  return { findReadable, findOwn };
}
