import type { ImapFlow, MailboxObject } from 'imapflow';
import type { ImapAddress } from './imap-address.ts';
import { maxRawBytes } from './inbox.ts';

/** Marks a mail that the store has. */
export const takenKeyword = '$DesksideTaken';

/** Whether a folder keeps that mark. Exchange keeps no keywords, and nobody keeps them where the login may only read. */
export const keepsMark = ({ permanentFlags }: MailboxObject): boolean =>
  ['\\*', takenKeyword].some((flag) => permanentFlags?.has(flag));

const connectTimeoutMs = 10_000;
/** How soon IDLE begins after a command. Shorter pauses are those between two mails. */
const idleAfterMs = 300;

/**
 * A connection to an IMAP server, not opened yet.
 * @param silenceMs how long the server may be silent before it is asked whether it is there, and then until its answer
 */
export async function createImapClient(
  { host, port, isSecure, isLoopback, user, password }: ImapAddress,
  silenceMs: number,
): Promise<ImapFlow> {
  // A server that reads no mailbox needs none of it.
  const { ImapFlow } = await import('imapflow');
  const client = new ImapFlow({
    host,
    port,
    secure: isSecure,
    // Without it, someone between the two could take the offer of STARTTLS away.
    ...(!isSecure && { doSTARTTLS: !isLoopback }),
    auth: { user, pass: password },
    clientInfo: { name: 'Deskside' },
    logger: false,
    connectionTimeout: Math.min(connectTimeoutMs, silenceMs),
    greetingTimeout: Math.min(connectTimeoutMs, silenceMs),
    socketTimeout: silenceMs,
    autoIdleDelay: idleAfterMs,
    maxLiteralSize: 2 * maxRawBytes,
  });
  // The call under way fails as well. Without a listener, the error would end the process.
  client.on('error', () => {});
  return client;
}

/** Why a mailbox cannot be read. `folder`: there is no such folder. */
export interface ImapProblem {
  at: 'connection' | 'login' | 'folder';
  /** Such as `ECONNREFUSED` or `AUTHENTICATIONFAILED`; never the server's own sentence, which may quote an address. */
  code: string;
}

interface ImapError {
  code?: unknown;
  authenticationFailed?: boolean;
  serverResponseCode?: string;
  responseStatus?: string;
  mailboxMissing?: boolean;
  tlsFailed?: boolean;
}

/** Answers to a login that say nothing of user and password (RFC 5530). */
const busy = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'CONTACTADMIN']);

/** What an error of a connection, a login or the opening of a folder means. */
export function problemOf(error: unknown): ImapProblem {
  const found = error as ImapError;
  const { serverResponseCode, responseStatus, code } = found;
  const named = serverResponseCode ?? (typeof code === 'string' ? code : (responseStatus ?? 'ERROR'));
  // The server offers no STARTTLS, or somebody in between has taken the offer away.
  if (found.tlsFailed && code === undefined) return { at: 'connection', code: 'STARTTLS' };
  if (found.mailboxMissing) return { at: 'folder', code: named };
  const isLogin = found.authenticationFailed === true && !busy.has(named);
  return { at: isLogin ? 'login' : 'connection', code: named };
}
