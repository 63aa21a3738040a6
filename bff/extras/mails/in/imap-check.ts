import type { ImapFlow } from 'imapflow';
import { explainConnection } from '../../../core/connection-errors.ts';
import { type Check, fail, ok, once, warn } from '../../../core/operator/check.ts';
import { type ImapAddress, readImapAddress } from './imap-address.ts';
import { createImapClient, keepsMark, type ImapProblem, problemOf } from './imap-client.ts';

/** What was found out about a mailbox. Without a problem it could be opened. */
interface Tried {
  problem: (ImapProblem & { cause: unknown }) | null;
  hasIdle: boolean;
  mails: number;
  keepsMark: boolean;
}

async function open(client: ImapFlow, { folder }: ImapAddress): Promise<Tried> {
  await client.connect();
  const mailbox = await client.mailboxOpen([...folder]);
  const hasIdle = client.capabilities.has('IDLE');
  return { problem: null, hasIdle, mails: mailbox.exists, keepsMark: keepsMark(mailbox) };
}

/** Connects, logs in and opens the folder; changes and reads nothing. Never rejects. */
async function tryMailbox(address: ImapAddress, patienceMs: number): Promise<Tried> {
  const client = createImapClient(address, patienceMs);
  try {
    return await open(client, address);
  } catch (cause) {
    return { problem: { ...problemOf(cause), cause }, hasIdle: false, mails: 0, keepsMark: false };
  } finally {
    client.close();
  }
}

const advice = {
  connection: 'Check host and port in MAIL_IN, and imaps:// or, for STARTTLS, imap://.',
  login:
    'Check user and password in MAIL_IN, percent-encoded. Many providers want a password for apps, and IMAP turned on.',
  folder: 'Create the folder that MAIL_IN names, or correct its name; most often it is INBOX.',
};

/** Tries the mailbox that answers come to. `setting`: the value of `MAIL_IN`. */
export function mailboxChecks(setting: () => string | undefined, patienceMs: number): Check[] {
  const address = () => readImapAddress(setting() ?? '');
  const attempt = once(async () => tryMailbox(address()!, patienceMs));
  const off = () =>
    ok(setting() ? 'mails come by the hook' : 'MAIL_IN is not set: answers by mail are not read');

  return [
    {
      name: 'mail-in-connects',
      needs: ['configuration'],
      fix: advice.connection,
      async run() {
        if (!address()) return off();
        const { problem } = await attempt();
        if (problem?.at !== 'connection') return ok('the server of the mailbox answers');
        if (problem.code === 'STARTTLS')
          return fail('it offers no STARTTLS, and would get the password unencrypted');
        return fail(explainConnection(problem.cause) ?? `it cannot be read (${problem.code})`);
      },
    },
    {
      name: 'mail-in-login',
      needs: ['mail-in-connects'],
      fix: advice.login,
      async run() {
        if (!address()) return off();
        const { problem } = await attempt();
        return problem?.at === 'login'
          ? fail(`the server of the mailbox refuses the login (${problem.code})`)
          : ok('it takes user and password');
      },
    },
    {
      name: 'mail-in-folder',
      needs: ['mail-in-login'],
      fix: advice.folder,
      async run() {
        if (!address()) return off();
        const { problem, mails, ...found } = await attempt();
        const name = address()!.folder.join('/');
        if (problem) return fail(`there is no folder ${name} (${problem.code})`);
        const pace = found.hasIdle
          ? 'tells at once what arrives'
          : 'has no IDLE, so it is looked at every minute';
        if (found.keepsMark) return ok(`${name} has ${mails} mails, keeps marks, and ${pace}`);
        return warn(
          `${name} keeps no marks of our own: mails are taken once all the same, as long as the store is kept`,
          'Let the login change flags and keywords there, if the server can; otherwise nothing need be done.',
        );
      },
    },
  ];
}
