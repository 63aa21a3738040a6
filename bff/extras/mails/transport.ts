import nodemailer, { type NodemailerError, type SendMailOptions } from 'nodemailer';

const connectTimeoutMs = 5_000;

/** A transport to the mail server at `url`. `timeoutMs`: how long it may be silent. */
export const createMailTransport = (url: string, timeoutMs: number, more: { forceAuth?: boolean } = {}) =>
  nodemailer.createTransport({
    url,
    ...more,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: timeoutMs,
  });

/**
 * Why no mail could be sent. `login`: the server answers, and refuses the login. `loginMissing`: it offers a login, and
 * the URL has none.
 */
export interface MailProblem {
  at: 'connection' | 'login' | 'loginMissing';
  /** Such as `ECONNREFUSED` or `EAUTH 535`; never the server's own sentence, which may quote an address. */
  code: string;
  cause: unknown;
}

/** Connects and logs in, and sends nothing. Null when that works. Never rejects. */
export async function tryMailServer(url: string, timeoutMs = 10_000): Promise<MailProblem | null> {
  // With it, a login that is offered and not given is an error. A login that is given would be tried unoffered.
  const transport = createMailTransport(url, timeoutMs, { forceAuth: !new URL(url).username });
  try {
    await transport.verify();
    return null;
  } catch (cause) {
    const { code = 'ERROR', responseCode } = cause as NodemailerError;
    const at = code === 'ENOAUTH' ? 'loginMissing' : /^E(AUTH|OAUTH2)$/.test(code) ? 'login' : 'connection';
    return { at, code: [code, responseCode].filter(Boolean).join(' '), cause };
  } finally {
    transport.close();
  }
}

/** Sends one mail. Returns the server's answer. @throws what the server or the connection said */
export async function sendTestMail(
  url: string,
  mail: Pick<SendMailOptions, 'from' | 'replyTo' | 'to' | 'subject'>,
  timeoutMs: number,
): Promise<string> {
  const transport = createMailTransport(url, timeoutMs);
  try {
    const { response } = await transport.sendMail({
      subject: 'Test mail of Deskside',
      ...mail,
      text:
        'The command "deskside check --mail" has sent this mail. Mails to your customers come the same way.\n\n' +
        'Look at its headers ("Show original", or its source): the line Authentication-Results should say spf=pass, ' +
        'dkim=pass and dmarc=pass. If it does not, mails to your customers may land in spam.\n',
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' },
    });
    return response;
  } finally {
    transport.close();
  }
}
