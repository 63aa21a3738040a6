import type { SessionModel } from '../customer/session.ts';
import type { ViewModel } from '../view.ts';
import type { NewTicketModel } from './new-ticket.ts';

interface Models {
  session: SessionModel;
  view: ViewModel;
  newTicket: NewTicketModel;
}

/** An effect: fills the form in with the name and address of the customer that the BFF knows. */
export function introduceCustomer({ session, view, newTicket }: Models) {
  const known = session.current.value?.customer;
  if (known && !session.isWaiting.value && view.current.value.name !== 'thread') newTicket.introduce(known);
}
