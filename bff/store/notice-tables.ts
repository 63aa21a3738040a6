import type { Generated, Selectable } from 'kysely';

/** The mails about a ticket to the address that it was opened under. */
export interface NoticeTable {
  ticket_id: string;
  /** `confirmation`: sent once, then the row is removed. `answer`: sent whenever an answer waits. */
  kind: 'confirmation' | 'answer';
  /** The recipient's address and language. */
  contact_sealed: string;
  address_hash: string;
  /** The hash of the address without the part after a plus sign. */
  mailbox_hash: string;
  /** The known number of agents' messages. */
  answers: Generated<number>;
  /** How many of them need no mail any more. */
  mailed_answers: Generated<number>;
  /** How many are covered by a mail that is being sent, or may have been sent. Null without one. */
  sending_answers: number | null;
  /** Since when an answer waits for a mail. Null when none does. */
  waiting_since: number | null;
  due_at: number | null;
  mailed_at: number | null;
  /** Failed attempts for the waiting mail. */
  attempts: Generated<number>;
  /** Raised by every lease. A process with an older fence changes nothing. */
  fence: Generated<number>;
  lease_until: number | null;
  /** When a message of the customer or an answer last came. */
  changed_at: number;
  /** When the ticket is read next for mails. Null: not at all. */
  look_at: number | null;
  look_until: number;
  /** Keyed hash of the ticket's entry in the list of tickets. */
  listed_hash: string | null;
}

/** An address, or its mailbox, that gets no more mails about tickets. */
export interface SilentAddressTable {
  address_hash: string;
  reason: 'unsubscribed' | 'bounced';
  created_at: number;
}

export type NoticeRow = Selectable<NoticeTable>;

/** The content of `contact_sealed` of a notice. */
export interface NoticeContact {
  email: string;
  /** A language tag, not validated. */
  language: string;
}
