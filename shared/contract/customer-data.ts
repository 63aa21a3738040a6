import type { Attributes } from './attributes.ts';
import type { Consent } from './form.ts';
import type { AcceptedMessage, AcceptedTicket } from './accepted.ts';
import type { StoredRating } from './ratings.ts';
import type { OperationState, TicketFields } from './tickets.ts';

/** A browser in which a customer is signed in: `GET /api/session/devices`. Times are ISO 8601 UTC. */
export interface Device {
  created_at: string;
  /** Rounded to a twentieth of the idle time after which the session ends. */
  last_used_at: string;
  /** The device that made the request. */
  current: boolean;
}

export interface StoredDevice extends Omit<Device, 'current'> {
  /** What the site's token said, for agents. */
  attributes?: Attributes;
}

/** The data that the BFF stores of one customer: `GET /api/session/data`. Times are ISO 8601 UTC. */
export interface CustomerData {
  /** Raised by every change that would mislead readers of an older version. */
  version: 1;
  exported_at: string;
  email: string | null;
  name: string | null;
  /** Whether the address was proven. */
  verified: boolean;
  devices: StoredDevice[];
  tickets: StoredTicket[];
  sends: StoredSend[];
}

/** The summary of a ticket, as last read from the ticket service. */
export interface StoredTicket extends TicketFields {
  id: string;
  /** Start of the newest message that the customer may see. */
  preview: string | null;
  /** Whether a mail is sent when an answer waits. */
  answers_by_mail: boolean;
  /** What the customer said of it. */
  rating?: StoredRating;
}

/** A ticket or a reply that was sent here. */
export interface StoredSend {
  kind: 'ticket' | 'message';
  state: OperationState;
  created_at: string;
  finished_at: string | null;
  /** Null where the service has not confirmed it. */
  ticket_id: string | null;
  /** Null once erased; then only the ticket service has it. */
  content: AcceptedTicket | AcceptedMessage | null;
  /** What the customer agreed to with it. */
  consent?: Consent;
  /** Those of it that are still kept. */
  files?: StoredFile[];
  /** The mail that it came by, while it is kept. */
  mail?: StoredMail;
}

/** A mail that came in. Null for what cannot be read. */
export interface StoredMail {
  received_at: string;
  from: string | null;
  subject: string | null;
  /** With what it quotes. */
  text: string | null;
}

export interface StoredFile {
  name: string;
  type: string;
  /** In bytes. */
  size: number;
  url: string;
  uploaded_at: string;
}
