import nodemailer, { type NodemailerError } from 'nodemailer';

const connectTimeoutMs = 5_000;

/** A transport to the mail server at `url`. `timeoutMs`: how long it may be silent. */
export const createMailTransport = (url: string, timeoutMs: number) =>
  nodemailer.createTransport({
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: timeoutMs,
  });

/** Why no mail could be sent. `login`: the server answers, and refuses the login. */
export interface MailProblem {
  at: 'connection' | 'login';
  /** Such as `ECONNECTION` or `EAUTH 535`; never the server's own sentence, which may quote an address. */
  code: string;
}

/** Connects and logs in, and sends nothing. Null when that works. Never rejects. */
export async function tryMailServer(url: string, timeoutMs = 10_000): Promise<MailProblem | null> {
  const transport = createMailTransport(url, timeoutMs);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    const { code = 'ERROR', responseCode } = error as NodemailerError;
    const isLogin = /^E(AUTH|NOAUTH|OAUTH2)$/.test(code);
    return { at: isLogin ? 'login' : 'connection', code: [code, responseCode].filter(Boolean).join(' ') };
  } finally {
    transport.close();
  }
}
