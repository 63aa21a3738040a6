import type { NodemailerError } from 'nodemailer';
import { AppError, LoggableError } from '../errors.ts';
import type { Log } from '../log/log.ts';
import { codeMessage } from './code-message.ts';
import type { MailContent } from './mail-page.ts';
import { type TicketMessage, ticketMessage } from './ticket-message.ts';
import { createMailTransport } from './transport.ts';

/** A mail about a ticket. Ids are the left part of a Message-ID: letters, digits, `-` and `_`. */
export interface TicketMail extends TicketMessage {
  to: string;
  id: string;
  /** The id of the ticket's first mail, sent or not. Mail programs group mails that refer to it. */
  threadId: string;
}

/**
 * `bounced`: the mail server knows that the address accepts no mail. `refused`: it does not accept this mail, and will
 * not accept it later. `failed`: it did not accept the mail now. `uncertain`: the connection ended before its answer
 * came.
 */
export type MailResult = 'sent' | 'bounced' | 'refused' | 'failed' | 'uncertain';

export interface Mailer {
  /**
   * Mails a one-time code. A refusal of the recipient is not reported: the person who typed the address must not learn
   * anything about it.
   * @param language tag of a language of the widget; any other tag means English
   * @throws {AppError} `upstream_unavailable` when the mail server cannot be reached or does not accept our mail
   */
  sendCode(to: string, code: string, language: string): Promise<void>;

  /** Sends a mail about a ticket. Equal ids give the same Message-ID. Never rejects for failures of the server. */
  sendTicketMail(mail: TicketMail): Promise<MailResult>;
}

/**
 * Mails through the server at `url`, one connection a message.
 * @param options.from an address, or `Name <address>`; a bare address is sent with the brand as its name
 * @param options.timeoutMs for one message as a whole
 * @param options.log gets failures, without addresses and codes
 */
export function createMailer(options: {
  url: string;
  from: string;
  brand: string | null;
  brandColor?: string | null;
  brandLogo?: string | null;
  publicUrl: string;
  log: Pick<Log, 'report'>;
  timeoutMs?: number;
}): Mailer {
  const { url, log, timeoutMs = 10_000 } = options;
  const { host } = new URL(options.publicUrl);
  const brand = options.brand?.replace(/\s+/g, ' ').trim() || host;
  const sender = { brand, host, color: options.brandColor ?? null, logo: options.brandLogo ?? null };
  const transport = createMailTransport(url, timeoutMs);
  const from = options.from.includes('<') ? options.from : { name: brand, address: options.from.trim() };
  const domain = /@([\w.-]+)>?\s*$/.exec(options.from)?.[1] ?? new URL(options.publicUrl).hostname;
  const messageId = (id: string) => `<${id}@${domain}>`;

  /** Null when the mail was accepted, else the error. */
  async function send(
    to: string,
    content: MailContent,
    { headers, ...more }: { headers?: Record<string, string>; messageId?: string; references?: string } = {},
  ): Promise<NodemailerError | null> {
    try {
      await transport.sendMail({
        ...content,
        ...more,
        from,
        to: { name: '', address: to },
        // Mail programs show a logo of a `data:` address only as an attachment.
        attachDataUrls: true,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        // The transport's timeouts apply to each step, and this one to the whole mail.
        signal: AbortSignal.timeout(timeoutMs),
      });
      return null;
    } catch (error) {
      return error as NodemailerError;
    }
  }

  return {
    async sendCode(to, code, language) {
      const failure = await send(to, await codeMessage({ code, language, ...sender }));
      if (!failure) return;
      if (!isRefusal(failure) || failure.command !== 'RCPT TO')
        throw new AppError('upstream_unavailable', { cause: new LoggableError(`mail: ${causeOf(failure)}`) });
      log.report('mail_recipient_refused', { status: failure.responseCode });
    },

    async sendTicketMail({ to, id, threadId, ...message }) {
      const failure = await send(to, await ticketMessage(message, sender), {
        messageId: messageId(id),
        ...(id !== threadId && { references: messageId(threadId), inReplyTo: messageId(threadId) }),
        headers: {
          'List-Unsubscribe': `<${message.unsubscribeLink}>`,
          // RFC 8058: the mail program may unsubscribe by itself, when its user presses a button.
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      });
      if (!failure) return 'sent';
      if (!isRefusal(failure)) {
        log.report('mail_not_sent', { cause: causeOf(failure) });
        return isUncertain(failure) ? 'uncertain' : 'failed';
      }
      log.report('mail_recipient_refused', { status: failure.responseCode });
      return isOfAddress(failure) ? 'bounced' : 'refused';
    },
  };
}

/** The server's own sentence is left out, since it often quotes the address. */
const causeOf = ({ code, command, responseCode }: NodemailerError) =>
  [code, command, responseCode].filter(Boolean).join(' ');

const isRefusal = ({ code = '', command = '', responseCode = 0 }: NodemailerError) =>
  responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(code) && ['RCPT TO', 'DATA'].includes(command);

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

/** RFC 5321: the address does not exist, or accepts no mail. */
const deadMailbox = new Set([550, 551, 553]);
/** RFC 3463: the mailbox or domain does not exist, has moved or is disabled. All other errors may pass. */
const deadStatus = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);
/** Words in a 550 without a status that are about the sender or the mail, not the recipient. */
const aboutSender = /relay|spam|block|polic|denied|reject|sender/i;

/** Whether a refusal means that the address never accepts mail. */
function isOfAddress({ command, responseCode = 0, response = '' }: NodemailerError): boolean {
  const status = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  if (status !== undefined) return deadStatus.has(status);
  return command === 'RCPT TO' && deadMailbox.has(responseCode) && !aboutSender.test(response);
}
