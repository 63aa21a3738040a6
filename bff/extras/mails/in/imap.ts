import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchMessageObject, FetchQueryObject, ImapFlow, MailboxObject } from 'imapflow';
import { backoffMs } from '../../../core/backoff.ts';
import { failpoint } from '../../../core/failpoint.ts';
import type { LogCode } from '../../../core/log/codes.ts';
import type { Log } from '../../../core/log/log.ts';
import { joined } from '../../../core/bytes.ts';
import type { ImapAddress } from './imap-address.ts';
import { maxRawBytes } from './inbox.ts';
import { createImapClient, type ImapProblem, keepsMark, problemOf, takenKeyword } from './imap-client.ts';

/*
 * Reads a mailbox over IMAP, and hands over what arrives. It does not know what a mail says or whose it is.
 *
 * What was taken is decided by UIDs and a keyword, never by \Seen: people read the mailbox as well, and a mail that one
 * of them has opened is taken all the same. A mail stays where it is.
 */

export interface MailSource {
  start(): void;
  /** Begins nothing new, and resolves when nothing is under way. */
  stop(): Promise<void>;
}

/** How far a mailbox was read. */
export interface MailPosition {
  /** The UIDs of a mailbox are valid as long as this does not change. Null before the first connection. */
  uidValidity: string | null;
  /** Everything up to this UID was taken or set aside. */
  lastUid: number;
  /** When the newest mail so far arrived at the server; before the first, since when mails are wanted. */
  since: number;
}

export interface ImapSourceOptions {
  address: ImapAddress;
  /** Resolves when the store has the mail, also if it had it already. Only then is it marked at the server. */
  take: (raw: Uint8Array) => Promise<void>;
  /** Whether this process may read now, and for the next `mayReadEveryMs` and a little more. */
  mayRead: () => Promise<boolean>;
  position: { read(): Promise<MailPosition>; write(position: MailPosition): Promise<void> };
  log: Pick<Log, 'info' | 'report'>;
  elapsed: () => number;
  pace?: Partial<typeof usualPace>;
}

/** How often `mayRead` is asked while nothing arrives. */
export const mayReadEveryMs = 15_000;

/** All in milliseconds. */
const usualPace = {
  mayRead: mayReadEveryMs,
  /** How often the mailbox is looked at, also while the server tells what arrives. */
  look: 60_000,
  /** So long may the server be silent before it is asked whether it is there, and again until its answer. */
  silence: 30_000,
  /** The pauses after failures, from the first to the longest. */
  again: [1_000, 60_000] as [first: number, longest: number],
  /** The pause after a refused login: servers block those who try often. */
  refused: 600_000,
};

/** How far the clocks of this machine and the mail server may differ. */
const clocksMs = 5 * 60_000;
/** SEARCH knows days only, in the time of the server. */
const dayMs = 86_400_000;
/**
 * How often the fetch of one mail may fail before the others go on without it. Large, since a failing disk of the server
 * looks the same: with the pauses it takes a quarter of an hour.
 */
const mostFetches = 20;
/** How much of a mail is fetched at once. */
const fetchedBytes = 1024 * 1024;

const codeOf: Record<ImapProblem['at'], LogCode> = {
  connection: 'mail_in_not_read',
  login: 'mail_in_login_refused',
  folder: 'mail_in_no_folder',
};

const arrivedAt = ({ internalDate }: FetchMessageObject) => Number(new Date(internalDate ?? 0));

async function fetchOne(client: ImapFlow, uid: number, query: FetchQueryObject) {
  const found = await client.fetchOne(String(uid), { uid: true, ...query }, { uid: true });
  // Only on a working connection, nothing means that someone has removed the mail.
  if (!found && !client.usable) throw Object.assign(new Error('closed'), { code: 'EConnectionClosed' });
  return found || null;
}

/** A mail as it came, fetched in pieces. Null when it was removed. */
async function fetchSource(client: ImapFlow, uid: number): Promise<Uint8Array | null> {
  const parts: Buffer[] = [];
  for (let start = 0; ; start += fetchedBytes) {
    const row = await fetchOne(client, uid, { source: { start, maxLength: fetchedBytes } });
    if (!row) return null;
    const { source = Buffer.alloc(0) } = row;
    parts.push(source);
    // The size that some servers name is a guess.
    if (source.length < fetchedBytes) return start === 0 ? source : joined(parts);
  }
}

const mark = (client: ImapFlow, uid: number, flags: string[]) =>
  client.messageFlagsAdd(String(uid), flags, { uid: true, silent: true });

export function createImapSource(options: ImapSourceOptions): MailSource {
  const { address, take, mayRead, position, log, elapsed } = options;
  const pace = { ...usualPace, ...options.pace };
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  /** What the log says is wrong now. */
  let told: LogCode | null = null;
  /** Attempts in a row that have read nothing. */
  let failures = 0;
  /** The mail that was fetched last, and how often in a row. */
  let fetches = { uid: 0, times: 0 };

  const rest = (ms: number, ...wakers: AbortSignal[]) =>
    sleep(ms, undefined, { signal: AbortSignal.any([stopping.signal, ...wakers]), ref: false }).catch(
      () => {},
    );

  /** The UIDs of the mails to take, in order. */
  async function findNew(client: ImapFlow, at: MailPosition, isValid: boolean): Promise<number[]> {
    const from = at.since - clocksMs;
    const found = await client.search(
      {
        ...(isValid ? { uid: `${at.lastUid + 1}:*` } : { since: new Date(from - dayMs) }),
        ...(keepsMark(client.mailbox as MailboxObject) && { unKeyword: takenKeyword }),
      },
      { uid: true },
    );
    if (!found) throw Object.assign(new Error('refused'), { code: 'SEARCH' });
    // The last mail of the mailbox is always in such a range.
    if (isValid) return found.filter((uid) => uid > at.lastUid);
    if (found.length === 0) return [];
    const rows = await client.fetchAll(found, { uid: true, internalDate: true }, { uid: true });
    return rows.filter((row) => arrivedAt(row) >= from).map(({ uid }) => uid);
  }

  /** Fetches one mail. Null when it was removed, or when it is set aside: it then stays unread, with a flag. */
  async function fetchMail(client: ImapFlow, uid: number) {
    async function setAside(code: LogCode, why: string) {
      log.report(code, { cause: `UID ${uid}, ${why}` });
      await mark(client, uid, ['\\Flagged']);
      return null;
    }
    fetches = { uid, times: fetches.uid === uid ? fetches.times + 1 : 1 };
    if (fetches.times > mostFetches) return setAside('mail_in_not_given', `${mostFetches} attempts`);
    const known = await fetchOne(client, uid, { size: true, internalDate: true });
    if (!known) return null;
    const size = known.size ?? 0;
    if (size > maxRawBytes) return setAside('mail_in_too_large', `${Math.ceil(size / 1e6)} MB`);
    const raw = await fetchSource(client, uid);
    // What fails from here on is not the mail's fault.
    fetches = { uid, times: 0 };
    return raw ? { raw, arrivedAt: arrivedAt(known) } : null;
  }

  /** Takes everything that has arrived, in order. Returns whether this process may go on. */
  async function takeNew(
    client: ImapFlow,
    { uidValidity: validity, uidNext }: MailboxObject,
  ): Promise<boolean> {
    // Some servers tell only after a command what has arrived.
    await client.noop();
    let at = await position.read();
    const uidValidity = String(validity);
    const isValid = at.uidValidity === uidValidity;
    const uids = await findNew(client, at, isValid);
    let { since } = at;
    for (const uid of uids) {
      if (stopping.signal.aborted || !(await mayRead())) return false;
      const mail = await fetchMail(client, uid);
      if (mail) {
        await take(mail.raw);
        failpoint('mail_taken');
        // A mail whose mark gets lost is known to the store.
        await mark(client, uid, ['\\Seen', takenKeyword]);
        since = Math.max(since, mail.arrivedAt);
      }
      if (isValid) await position.write((at = { uidValidity, lastUid: uid, since }));
    }
    if (isValid) return true;
    if (at.uidValidity !== null)
      log.info('the mails of MAIL_IN have new UIDs, and were looked for by their time');
    await position.write({ uidValidity, lastUid: Math.max(uidNext - 1, ...uids), since });
    return true;
  }

  /** Reads until the connection ends, another process reads, or this one stops. */
  async function readConnected(client: ImapFlow): Promise<void> {
    let news = new AbortController();
    const wake = () => news.abort();
    client.on('exists', wake).on('close', wake);
    await client.connect();
    const mailbox = await client.mailboxOpen([...address.folder]);
    if (!mailbox.uidNext || !mailbox.uidValidity) throw Object.assign(new Error('no UIDs'), { code: 'UIDS' });
    while (await takeNew(client, mailbox)) {
      onRead();
      const lookAt = elapsed() + pace.look;
      while (!news.signal.aborted && elapsed() < lookAt) {
        await rest(Math.min(pace.mayRead, lookAt - elapsed()), news.signal);
        if (stopping.signal.aborted || !(await mayRead())) return;
      }
      news = new AbortController();
    }
  }

  async function readOnce(): Promise<void> {
    const client = await createImapClient(address, pace.silence);
    const end = () => client.close();
    stopping.signal.addEventListener('abort', end);
    try {
      await readConnected(client);
    } finally {
      stopping.signal.removeEventListener('abort', end);
      client.close();
    }
  }

  function onRead(): void {
    if (told !== null) log.info('the mails of MAIL_IN are read again');
    told = null;
    failures = 0;
  }

  /** Tells what is wrong, once until it works again. Returns the pause until the next attempt. */
  function onFailure(error: unknown): number {
    const { at, code: cause } = problemOf(error);
    const code = codeOf[at];
    // Servers end connections now and then: the next attempt shows whether something is wrong.
    if (code !== told && (failures > 0 || at !== 'connection')) {
      log.report(code, { err: error, cause });
      told = code;
    }
    return at === 'login' ? pace.refused : backoffMs(failures++, ...pace.again);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let restMs = pace.mayRead;
      try {
        if (await mayRead()) await readOnce();
      } catch (error) {
        if (stopping.signal.aborted) return;
        restMs = onFailure(error);
      }
      await rest(restMs);
    }
  }

  return {
    start() {
      running ??= run();
    },

    async stop() {
      stopping.abort();
      await running;
    },
  };
}
