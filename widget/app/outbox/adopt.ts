import type { ReadonlySignal } from '@preact/signals';
import type { Customer } from '../../../bff/contract/session.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { SessionModel } from '../customer/session.ts';
import type { OutboxModel } from './outbox.ts';
import type { Send } from './sends.ts';
import { ticketOf } from './sends.ts';
import { isSame } from '../ticket-list/names.ts';

/*
 * Texts that were written while nobody was signed in, and are still in this browser when somebody signs in. A script of
 * the host page could sign in to its own account to get them. So the BFF's rule for its tickets applies here too: texts
 * under the proven address are transferred without asking, all others only when the customer agrees.
 */

/**
 * Folds an e-mail address as the BFF does (`bff/session/address.ts`), but for letters beyond ASCII: of two addresses that
 * differ in those the BFF decides, and the customer is asked meanwhile.
 */
export const foldAddress = (text: string): string =>
  text.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether a send becomes the customer's without asking: a ticket under their proven address, or a reply to their ticket. */
function belongsTo({ email, verified }: Customer, send: Send, list: readonly TicketSummary[]): boolean {
  const isTheirs =
    verified && send.kind === 'ticket' && foldAddress(send.payload.customer_email) === foldAddress(email);
  return isTheirs || list.some((ticket) => isSame(ticket, ticketOf(send)));
}

interface Models {
  session: SessionModel;
  outbox: OutboxModel;
  list: ReadonlySignal<TicketSummary[]>;
}

/** An effect: gives the customer those texts that they need not be asked about. */
export function adoptOwnTexts({ session, outbox, list }: Models) {
  const customer = session.current.value?.customer;
  const tickets = list.value;
  if (customer && outbox.unowned.value.length > 0) outbox.adopt((send) => belongsTo(customer, send, tickets));
}
