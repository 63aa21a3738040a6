import type { FieldFault } from '../../shared/contract/errors.ts';
import { fieldNames, type FieldName } from '../app/new-ticket/new-ticket.ts';
import type { NewTicket } from '../npm/client.d.ts';

/** The names that a site uses, by those of the protocol. */
export const siteNames = {
  description: 'message',
  customer_email: 'email',
  customer_name: 'name',
  subject: 'subject',
} as const satisfies Record<FieldName, keyof NewTicket>;

/** Errors by the names that a site uses. */
export const forSite = (fields: Record<string, FieldFault | undefined>) =>
  Object.fromEntries(fieldNames.flatMap((wire) => (fields[wire] ? [[siteNames[wire], fields[wire]]] : [])));
