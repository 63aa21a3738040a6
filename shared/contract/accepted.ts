import type { Attributes } from './attributes.ts';
import type { Consent } from './form.ts';
import type { NewMessage, NewTicket, Priority } from './tickets.ts';

/** A new ticket as it was accepted. */
export interface AcceptedTicket extends Omit<NewTicket, 'form' | 'files'> {
  form?: AcceptedForm;
  files?: AcceptedFiles;
  /** Said by the site's server in the token of this session. */
  verified_attributes?: Attributes;
  /** Lines for agents about the mail that it came by. */
  mail?: string[];
}

/** A reply as it was accepted. */
export interface AcceptedMessage extends Omit<NewMessage, 'files'> {
  files?: AcceptedFiles;
  /** As in a ticket. */
  mail?: string[];
}

/** The files of a send as they were accepted. */
export interface AcceptedFiles {
  ids: string[];
  /** Lines for agents, which name the files and have their links. */
  lines: string[];
}

/** The answers to a form as they were accepted with their ticket. Later changes of the form do not affect them. */
export interface AcceptedForm {
  /** Lines for agents. */
  details: string[];
  /** The priority of the topic. A priority that the customer has chosen overrides it. */
  priority?: Priority;
  consent?: Consent;
}
