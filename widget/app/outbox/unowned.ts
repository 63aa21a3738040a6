import type { Customer } from '../../../shared/contract/session.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { SessionModel } from '../customer/session.ts';
import type { OutboxModel } from './outbox.ts';
import { type Send, ticketOf } from './sends.ts';
import { isSame } from '../ticket-list/names.ts';

/*
 * Texts that were written while nobody was signed in, and are still in this browser when somebody signs in. A script of
 * the host page could sign in to its own account to get them. So the BFF's rule for its tickets applies here too: texts
 * under the proven address are transferred without asking, all others only when the customer agrees.
 */

/**
 * Folds an e-mail address as the BFF does (`bff/core/identity/address.ts`), but for letters beyond ASCII: of two addresses that
 * differ in those the BFF decides, and the customer is asked meanwhile.
 */
export const foldAddress = (text: string): string =>
  text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether a send becomes the customer's without asking: a ticket under their proven address, or a reply to their ticket. */
function isOwnText(send: Send, { email, verified }: Customer, list: TicketSummary[]): boolean {
  const isTheirs =
    verified && send.kind === 'ticket' && foldAddress(send.payload.customer_email) === foldAddress(email);
  return isTheirs || list.some((ticket) => isSame(ticket, ticketOf(send)));
}

/** Whether a send counts in the question to the customer. The BFF counts its own, and replies follow their ticket. */
const isOffered = (send: Send): boolean => send.kind === 'ticket' && !send.is_held && !send.is_declined;

/** How many conversations from before the sign-in the customer may add: the BFF's, and those only here. */
export const countTransferable = ({ current }: SessionModel, { unowned }: OutboxModel): number =>
  (current.value?.transferable ?? 0) + unowned.value.filter(isOffered).length;

/** An effect: what was written before the sign-in becomes the customer's, if they need not be asked. */
export function adoptOwnTexts({ current }: SessionModel, outbox: OutboxModel, list: TicketSummary[]): void {
  const known = current.value?.customer;
  if (known && outbox.unowned.value.length > 0) outbox.adopt((send) => isOwnText(send, known, list));
}
