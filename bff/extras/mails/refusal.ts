import type { NodemailerError } from 'nodemailer';

/*
 * Why a mail server has refused a mail for good. It knows SMTP's codes and the usual sentences, and sends nothing.
 */

/**
 * `mailbox`: the address exists no more, or never did. `sender`: the server takes nothing from us, such as without a
 * login. `other`: this mail, for a reason that is not known; it may be the mail, the recipient's rules or us.
 */
export type Refusal = 'mailbox' | 'sender' | 'other';

/** The enhanced status of an answer (RFC 3463), such as `5.7.1`. */
export const statusOf = (response = '') => /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];

/** Null for an error that is no final refusal: the mail may be taken later, or may have been taken. */
export function refusalOf(error: NodemailerError): Refusal | null {
  const { code = '', command = '', responseCode = 0, response = '' } = error;
  if (responseCode < 500) return null;
  const status = statusOf(response);
  if (command === 'MAIL FROM' || needsLogin.has(responseCode) || senderStatus.has(status ?? ''))
    return 'sender';
  if (!['EENVELOPE', 'EMESSAGE'].includes(code)) return null;
  if (senderWords.test(response)) return 'sender';
  if (status !== undefined) return deadStatus.has(status) ? 'mailbox' : 'other';
  return command === 'RCPT TO' && deadMailbox.has(responseCode) && namesNoMailbox(response)
    ? 'mailbox'
    : 'other';
}

/** RFC 4954: a login is required, refused or too weak. */
const needsLogin = new Set([530, 534, 535, 538]);
/** RFC 3463 and 7372, and Exchange's 5.7.57 and 5.7.60: our address or our rights. */
const senderStatus = new Set(['5.1.7', '5.1.8', '5.7.0', '5.7.8', '5.7.57', '5.7.60']);
/** How servers without such a status say it, as Postfix, Exim and sendmail do. */
const senderWords = /relay|authenticat|log ?in (first|required)|sender (address )?(rejected|denied)/i;

/** RFC 5321: the address does not exist, or accepts no mail. */
const deadMailbox = new Set([550, 551, 553]);
/** RFC 3463: the mailbox or domain does not exist, has moved or is disabled. All other errors may pass. */
const deadStatus = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);
/** How servers without a status say that there is no such mailbox. Others say `Administrative prohibition`, as Exim. */
const mailboxWords = /user|address|recipient|mailbox|account/i;
const goneWords =
  /unknown|no such|not exist|n.t exist|not found|disabled|invalid|unrouteable|no mailbox here/i;
/** Whether an answer of class 5 says that there is no such mailbox. All others may pass, such as one about a full mailbox. */
export const isMailboxGone = (status: string | undefined, response: string) =>
  deadStatus.has(status ?? '') || namesNoMailbox(response);

const namesNoMailbox = (response: string) =>
  mailboxWords.test(response) && goneWords.test(response) && !/sender/i.test(response);
