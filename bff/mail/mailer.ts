import type { NodemailerError } from 'nodemailer';
import { AppError, LoggableError } from '../errors.ts';
import type { Log } from '../log/log.ts';
import { codeMessage } from './code-message.ts';
import { createMailTransport } from './transport.ts';

export interface Mailer {
  /**
   * Mails a one-time code. A refusal of the recipient is not reported: whoever typed the address must not learn
   * anything about it.
   * @param language tag of a language that the widget has; any other means English
   * @throws {AppError} `upstream_unavailable` when the mail server cannot be reached or does not take our mail
   */
  sendCode(to: string, code: string, language: string): Promise<void>;
}

/**
 * Mails through the server at `url`, one connection a message.
 * @param options.from an address, or `Name <address>`; a bare one goes out under the brand
 * @param options.timeoutMs for one message as a whole
 * @param options.log gets failures, without addresses and codes
 */
export function createMailer(options: {
  url: string;
  from: string;
  brand: string | null;
  publicUrl: string;
  log: Pick<Log, 'report'>;
  timeoutMs?: number;
}): Mailer {
  const { url, log, timeoutMs = 10_000 } = options;
  const { host } = new URL(options.publicUrl);
  const brand = options.brand?.replace(/\s+/g, ' ').trim() || host;
  const transport = createMailTransport(url, timeoutMs);
  const from = options.from.includes('<') ? options.from : { name: brand, address: options.from.trim() };

  return {
    async sendCode(to, code, language) {
      try {
        await transport.sendMail({
          ...(await codeMessage({ code, brand, host, language })),
          from,
          to: { name: '', address: to },
          headers: { 'Auto-Submitted': 'auto-generated' },
          // The timeouts above are for each step; this one is for all of them.
          signal: AbortSignal.timeout(timeoutMs),
        });
      } catch (error) {
        const failure = error as NodemailerError;
        // The server's own sentence often quotes the address.
        const { code: reason, command, responseCode } = failure;
        if (!isRefusedRecipient(failure))
          throw new AppError('upstream_unavailable', {
            cause: new LoggableError(`mail: ${[reason, command, responseCode].filter(Boolean).join(' ')}`),
          });
        log.report('mail_recipient_refused', { status: responseCode });
      }
    },
  };
}

const isRefusedRecipient = ({ code, command, responseCode = 0 }: NodemailerError) =>
  code === 'EENVELOPE' && command === 'RCPT TO' && responseCode >= 500;
