import type { NodemailerError } from 'nodemailer';
import { explainConnection } from '../../core/connection-errors.ts';
import { AppError, LoggableError } from '../../core/errors.ts';
import type { CodeMailer } from '../../core/identity/codes.ts';
import type { Log } from '../../core/log/log.ts';
import type { TellSender } from './in/act.ts';
import type { ReplyToken } from './in/reply-tokens.ts';
import type { MailContent } from './mail-page.ts';
import { type Refusal, refusalOf, statusOf } from './refusal.ts';
import { type Mailbox, tokenPlace } from './sender-address.ts';
import { codeMessage, whereToWrite } from './short-messages.ts';
import { type TicketMessage, ticketMessage } from './ticket-message.ts';
import { createMailTransport } from './transport.ts';

/** A mail about a ticket. Ids are the left part of a Message-ID: letters, digits, `-` and `_`. */
export interface TicketMail extends Omit<TicketMessage, 'answers'> {
  to: string;
  /** Where an answer finds its ticket. Null: answers are not read here. */
  reply: ReplyToken | null;
  id: string;
  /** The id of the ticket's first mail, as it is without a token, sent or not. Mail programs group mails that refer to it. */
  threadId: string;
}

/**
 * `bounced`: the mail server knows that the address accepts no mail. `refused`: it does not accept this mail, and will
 * not accept it later. `failed`: it did not accept the mail now, or takes nothing from us. `uncertain`: the connection
 * ended before its answer came.
 */
export type MailResult = 'sent' | 'bounced' | 'refused' | 'failed' | 'uncertain';

export interface Mailer extends CodeMailer {
  /** Sends a mail about a ticket. Equal ids give the same Message-ID. Never rejects for failures of the server. */
  sendTicketMail(mail: TicketMail): Promise<MailResult>;
  /** Answers a mail that belongs to no ticket. Never rejects. */
  tellSender: TellSender;
}

/** What only some mails have. */
interface Parts {
  headers?: Record<string, string>;
  replyTo?: Mailbox | undefined;
  messageId?: string;
  references?: string;
  inReplyTo?: string;
}

/** So many recipients in a row that are refused without a reason: the server probably takes nothing from us. */
const manyRecipients = 3;

/**
 * Mails through the server at `url`, one connection a message.
 * @param options.from an address without a name is sent with the brand as its name
 * @param options.replyTo where an answer goes to a mail without a token; to the sender unless given
 * @param options.timeoutMs for one message as a whole
 * @param options.log gets failures, without addresses and codes
 */
export function createMailer(options: {
  url: string;
  from: Mailbox;
  replyTo?: Mailbox | undefined;
  brand: string | null;
  brandColor?: string | null;
  brandLogo?: string | null;
  publicUrl: string;
  log: Pick<Log, 'report'>;
  timeoutMs?: number;
}): Mailer {
  const { url, log, timeoutMs = 10_000 } = options;
  const fixedReplyTo = options.replyTo?.address.includes(tokenPlace) ? undefined : options.replyTo;
  const { host } = new URL(options.publicUrl);
  const brand = options.brand?.replace(/\s+/g, ' ').trim() || host;
  const sender = { brand, host, color: options.brandColor ?? null, logo: options.brandLogo ?? null };
  const transport = createMailTransport(url, timeoutMs);
  const from = { name: options.from.name || brand, address: options.from.address };
  const domain = from.address.split('@').at(-1)!;
  /** Addresses that were refused without a reason since the last mail that was taken. */
  const refusedInRow = new Set<string>();

  /** Null when the mail was accepted, else the error. */
  async function send(
    to: string,
    kind: 'code' | 'lost' | TicketMessage['kind'],
    content: MailContent,
    { headers, replyTo = fixedReplyTo, ...more }: Parts = {},
  ): Promise<NodemailerError | null> {
    try {
      await transport.sendMail({
        ...content,
        ...more,
        from,
        ...(replyTo && { replyTo: { name: replyTo.name || from.name, address: replyTo.address } }),
        to: { name: '', address: to },
        // Mail programs show a logo of a `data:` address only as an attachment.
        attachDataUrls: true,
        // The second is for Exchange, which answers also what is marked by the first.
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'OOF, AutoReply',
          // By it Gmail tells the operator which kind of mails is marked as spam.
          'Feedback-ID': `${kind}:deskside`,
          ...headers,
        },
        // The transport's timeouts apply to each step, and this one to the whole mail.
        signal: AbortSignal.timeout(timeoutMs),
      });
      refusedInRow.clear();
      return null;
    } catch (error) {
      return error as NodemailerError;
    }
  }

  /** Whose fault the refusal of a mail is, reported to the operator. Null where it is none. */
  function judge(failure: NodemailerError, to: string): Refusal | null {
    const refusal = refusalOf(failure);
    if (refusal === 'other') refusedInRow.add(to);
    const isOurs = refusal === 'sender' || refusedInRow.size >= manyRecipients;
    if (refusal === null) return null;
    if (refusal !== 'mailbox' && isOurs) {
      log.report('mail_sender_refused', { cause: causeOf(failure) });
      return 'sender';
    }
    log.report('mail_recipient_refused', { status: failure.responseCode });
    return refusal;
  }

  return {
    async sendCode(to, code, language) {
      const failure = await send(to, 'code', await codeMessage({ code, language, ...sender }));
      if (!failure) return;
      const refusal = judge(failure, to);
      if (refusal === null || refusal === 'sender' || failure.command !== 'RCPT TO')
        throw new AppError('upstream_unavailable', { cause: new LoggableError(`mail: ${causeOf(failure)}`) });
    },

    async sendTicketMail({ to, id, threadId, reply, ...message }) {
      const replyTo = reply?.replyTo ?? fixedReplyTo;
      const answers = reply ? 'ticket' : replyTo ? 'elsewhere' : 'nowhere';
      const idOf = (left: string) => `<${left}@${domain}>`;
      const root = idOf(threadId);
      const failure = await send(to, message.kind, await ticketMessage({ ...message, answers }, sender), {
        replyTo,
        messageId: reply ? idOf(`${id}.${reply.id}`) : idOf(id),
        // The token is renewed, and the root stays. Some servers replace the Message-ID, so the token is in both.
        ...(reply
          ? { references: `${root} ${idOf(reply.id)}`, inReplyTo: root }
          : id !== threadId && { references: root, inReplyTo: root }),
        headers: {
          'List-Unsubscribe': `<${message.unsubscribeLink}>`,
          // RFC 8058: the mail program may unsubscribe by itself, when its user presses a button.
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      });
      if (!failure) return 'sent';
      const refusal = judge(failure, to);
      if (refusal === 'mailbox') return 'bounced';
      if (refusal === 'other') return 'refused';
      if (refusal === null) log.report('mail_not_sent', { cause: causeOf(failure) });
      return isUncertain(failure) ? 'uncertain' : 'failed';
    },

    async tellSender({ to, language, messageId: answered }) {
      const content = await whereToWrite({ link: options.publicUrl, language }, sender);
      const isId = answered !== null && /^[!-;=?-~]{1,250}$/.test(answered);
      const failure = await send(to, 'lost', content, {
        ...(isId && { inReplyTo: `<${answered}>`, references: `<${answered}>` }),
        headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
      });
      if (failure) judge(failure, to);
    },
  };
}

/** The server's own sentence is left out, since it often quotes the address. */
const causeOf = (error: NodemailerError) =>
  explainConnection(error) ??
  [error.code, error.command, error.responseCode, statusOf(error.response)].filter(Boolean).join(' ');

/** Errors before the mail was sent: there was no connection, or none that could be used. */
const beforeMail = new Set([
  'EDNS',
  'ETLS',
  'EAUTH',
  'ENOAUTH',
  'ECONFIG',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Whether the server may have accepted the mail: it has refused nothing, and there may have been a connection. */
const isUncertain = ({ code = '', originalCode = '', responseCode }: NodemailerError) =>
  responseCode === undefined && !beforeMail.has(code) && !beforeMail.has(originalCode);
