import type { Generated, Selectable } from 'kysely';

/** What is to be mailed about a ticket to the address that it was opened under. */
export interface NoticeTable {
  ticket_id: string;
  /** `confirmation`: that it has arrived, once; the row goes with it. `answer`: whenever an answer waits. */
  kind: 'confirmation' | 'answer';
  /** Where to, and in which language. */
  contact_sealed: string;
  address_hash: string;
  /** The same without what follows a plus sign. */
  mailbox_hash: string;
  /** Agents' messages that are known of. */
  answers: Generated<number>;
  /** So many of them need no mail any more. */
  mailed_answers: Generated<number>;
  /** So many are covered by the mail that is being sent, or may have been; null without one. */
  sending_answers: number | null;
  /** Since when there is something to mail; null when there is nothing. */
  waiting_since: number | null;
  due_at: number | null;
  mailed_at: number | null;
  /** Attempts that failed since something waits. */
  attempts: Generated<number>;
  /** Raised by every lease: who leased it under an older one changes nothing. */
  fence: Generated<number>;
  lease_until: number | null;
  /** When a message of the customer or an answer last came. */
  changed_at: number;
  /** When the ticket is read next for it; null: not at all. */
  look_at: number | null;
  look_until: number;
  /** Keyed hash of what the list of tickets showed of it. */
  listed_hash: string | null;
}

/** An address, or its mailbox, that gets no mail about tickets any more. */
export interface SilentAddressTable {
  address_hash: string;
  reason: 'unsubscribed' | 'bounced';
  created_at: number;
}

export type NoticeRow = Selectable<NoticeTable>;

/** What `contact_sealed` of a notice contains. */
export interface NoticeContact {
  email: string;
  /** Tag of a language, unchecked. */
  language: string;
}
