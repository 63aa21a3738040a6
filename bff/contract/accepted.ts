import type { Consent } from './form.ts';
import type { NewTicket, Priority } from './tickets.ts';

/** A new ticket as it was accepted. */
export interface AcceptedTicket extends Omit<NewTicket, 'form'> {
  form?: AcceptedForm;
}

/** What a form's answers have become when their ticket was accepted; a later change of the form changes nothing of it. */
export interface AcceptedForm {
  /** Lines for agents. */
  details: string[];
  /** That of the topic; a priority that the customer has chosen goes before it. */
  priority?: Priority;
  consent?: Consent;
}
