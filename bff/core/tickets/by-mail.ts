import type { Message } from '../../../shared/contract/tickets.ts';
import type { OperationRow } from '../store/schema.ts';

/*
 * The line by which agents learn that a text came by mail, such as `By mail from b@example.com, not verified`. The same
 * line is read again when a customer sees the message. It is one of the lines that `footer.ts` puts below a text, which a
 * customer cannot write.
 */

/** Who mailed a text. */
export interface MailedBy {
  /** In the spelling of `readAddress`, which has neither spaces nor commas. */
  from: string;
  /** Whether it is the customer's word: the mail answers one that was sent to this address. */
  isCustomer: boolean;
  /** What the operator's mail server says of the sender, such as `dmarc=pass`. Empty where it says nothing. */
  said: string;
}

const line = /^By mail from (?<from>[^\s,]+)(?<doubt>, not verified)?(?: \((?<said>[\w=, ]+)\))?$/;

export const mailLine = ({ from, isCustomer, said }: MailedBy): string =>
  `By mail from ${from}${isCustomer ? '' : ', not verified'}${said ? ` (${said})` : ''}`;

/** What a customer learns from lines below a text. */
export function mailIn(lines: readonly string[]): Pick<Message, 'by_mail' | 'mailed_by'> {
  const found = lines.map((each) => line.exec(each)?.groups).find(Boolean);
  if (!found) return {};
  return { by_mail: true, ...(found['doubt'] && { mailed_by: found['from']! }) };
}

/** Stands for the session of a mail. It is no id of a session. */
export const mailSession = { shown: 'mail', withheld: 'mail, withheld' } as const;

/**
 * SECURITY: the owner of the address has mailed it, and its sender here may be a stranger who has only typed that address.
 */
export const isWithheld = ({ session_id }: Pick<OperationRow, 'session_id'>): boolean =>
  session_id === mailSession.withheld;
