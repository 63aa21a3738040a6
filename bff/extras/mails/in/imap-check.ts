import { setTimeout as sleep } from 'node:timers/promises';
import { explainConnection } from '../../../core/connection-errors.ts';
import { type Check, fail, type Finding, ok, once, warn } from '../../../core/operator/check.ts';
import { type ImapAddress, readImapAddress } from './imap-address.ts';
import { createImapClient, keepsMark, type ImapProblem, problemOf } from './imap-client.ts';

/** What was found out about a mailbox, or why it cannot be opened. */
type Tried =
  | { problem: ImapProblem & { cause: unknown } }
  | { problem: null; hasIdle: boolean; mails: number; keepsMark: boolean };

/** Connects, logs in and opens the folder; changes and reads nothing. Never rejects. */
async function tryMailbox(address: ImapAddress, patienceMs: number): Promise<Tried> {
  const client = await createImapClient(address, patienceMs);
  try {
    await client.connect();
    const mailbox = await client.mailboxOpen([...address.folder]);
    const hasIdle = client.capabilities.has('IDLE');
    return { problem: null, hasIdle, mails: mailbox.exists, keepsMark: keepsMark(mailbox) };
  } catch (cause) {
    return { problem: { ...problemOf(cause), cause } };
  } finally {
    client.close();
  }
}

/** Tries the mailbox that answers come to. `setting`: the value of `MAIL_IN`. */
export function mailboxChecks(setting: () => string | undefined, patienceMs: number): Check[] {
  const address = () => readImapAddress(setting() ?? '');
  const attempt = once(async () => tryMailbox(address()!, patienceMs));
  const check = (name: string, needs: string, fix: string, judge: (tried: Tried) => Finding): Check => ({
    name,
    needs: [needs],
    fix,
    async run() {
      if (address()) return judge(await attempt());
      return ok(setting() ? 'mails come by the hook' : 'MAIL_IN is not set: answers by mail are not read');
    },
  });

  return [
    check(
      'mail-in-connects',
      'configuration',
      'Check host and port in MAIL_IN, and imaps:// or, for STARTTLS, imap://.',
      ({ problem }) => {
        if (problem?.at !== 'connection') return ok('the server of the mailbox answers');
        if (problem.code === 'STARTTLS')
          return fail('it offers no STARTTLS, and would get the password unencrypted');
        return fail(explainConnection(problem.cause) ?? `it cannot be read (${problem.code})`);
      },
    ),
    check(
      'mail-in-login',
      'mail-in-connects',
      'Check user and password in MAIL_IN, percent-encoded. Many providers want a password for apps, and IMAP turned on.',
      ({ problem }) =>
        problem?.at === 'login'
          ? fail(`the server of the mailbox refuses the login (${problem.code})`)
          : ok('it takes user and password'),
    ),
    check(
      'mail-in-folder',
      'mail-in-login',
      'Create the folder that MAIL_IN names, or correct its name; most often it is INBOX.',
      (tried) => {
        const name = address()!.folder.join('/');
        if (tried.problem) return fail(`there is no folder ${name} (${tried.problem.code})`);
        const pace = tried.hasIdle
          ? 'tells at once what arrives'
          : 'has no IDLE, so it is looked at every minute';
        if (tried.keepsMark) return ok(`${name} has ${tried.mails} mails, keeps marks, and ${pace}`);
        return warn(
          `${name} keeps no marks of our own: mails are taken once all the same, as long as the store is not set back`,
          'Let the login change flags and keywords there, if the server can; otherwise nothing need be done.',
        );
      },
    ),
  ];
}

const lookEveryMs = 1_000;

/**
 * Waits until the folder has a mail with this word in its subject. It changes nothing there: the server takes the mail like
 * any other, and makes nothing of it, since it is its own. False: it did not come in time.
 * @throws what the server or the connection said
 */
export async function waitForMail(address: ImapAddress, word: string, timeoutMs: number): Promise<boolean> {
  const client = await createImapClient(address, timeoutMs);
  const until = performance.now() + timeoutMs;
  try {
    await client.connect();
    await client.mailboxOpen([...address.folder], { readOnly: true });
    for (;;) {
      const found = await client.search({ subject: word }, { uid: true });
      if (found && found.length > 0) return true;
      if (performance.now() > until) return false;
      await sleep(lookEveryMs);
      await client.noop();
    }
  } finally {
    client.close();
  }
}
