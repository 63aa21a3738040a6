import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ImapFlow } from 'imapflow';
import nodemailer from 'nodemailer';
import { freePort, startProgram } from './processes.ts';

const program = '/usr/sbin/dovecot';
/** Of every mailbox. */
const password = 'a@secret/100%';

export const isDovecotThere = () => existsSync(program) && existsSync('/usr/lib/dovecot/lmtp');
/** Whether the tests can use it. Version 2.4 reads another kind of configuration. */
export const hasDovecot = () =>
  isDovecotThere() && execFileSync(program, ['--version'], { encoding: 'utf8' }).startsWith('2.3.');

/** Dovecot needs no rights. If this process is root, it runs as nobody. */
const unprivileged = () =>
  process.getuid?.() === 0
    ? { uid: 65_534, gid: 65_534, name: 'nobody', group: 'nogroup' }
    : { uid: process.getuid!(), gid: process.getgid!(), name: userInfo().username, group: undefined };

type User = ReturnType<typeof unprivileged>;

function configuration(dir: string, ports: { imap: number; lmtp: number }, { uid, gid, name, group }: User) {
  return `
protocols = imap lmtp
listen = 127.0.0.1
base_dir = ${dir}/run
state_dir = ${dir}/state
log_path = ${dir}/log
ssl = no
disable_plaintext_auth = no
default_internal_user = ${name}
default_login_user = ${name}
${group ? `default_internal_group = ${group}` : ''}
first_valid_uid = 1
mail_uid = ${uid}
mail_gid = ${gid}
mail_location = sdbox:~/mail
mail_fsync = never
auth_failure_delay = 0
recipient_delimiter = +
mail_plugins = acl
plugin {
  acl = vfile
}
passdb {
  driver = static
  args = password=${password.replaceAll('%', '%%')}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${dir}/home/%u allow_all_users=yes
}
protocol imap {
  mail_plugins = acl imap_acl
  mail_max_userip_connections = 50
}
!include_try ${dir}/more.conf
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${ports.lmtp}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
}

/** A mailbox of it. */
export interface DovecotMailbox {
  /** For `MAIL_IN`. */
  url: string;
  /** What another mail program sees and does. */
  open<Result>(use: (client: ImapFlow) => Promise<Result>): Promise<Result>;
  /** What it has, each as it came, the oldest first. */
  mails(): Promise<string[]>;
  /** Delivers a mail as a mail transfer agent does. `detail`: the part of its recipient after a plus sign. */
  deliver(raw: string | Buffer, detail?: string): Promise<void>;
  /** Runs an administrator's command for it. */
  doveadm(command: readonly string[], ...more: string[]): Promise<unknown>;
  /** Limits what its owner may do, by the letters of RFC 4314. */
  setRights(letters: string): void;
}

export type Dovecot = Awaited<ReturnType<typeof startDovecot>>;

/** Starts Debian's mail server on free ports of this machine. It has every mailbox that somebody asks for. */
export async function startDovecot() {
  const user = unprivileged();
  const dir = mkdtempSync(join(tmpdir(), 'deskside-dovecot-'));
  const ports = { imap: await freePort(), lmtp: await freePort() };
  const file = join(dir, 'dovecot.conf');
  for (const name of ['run', 'state', 'home']) mkdirSync(join(dir, name));
  for (const name of ['.', 'run', 'state', 'home']) chownSync(join(dir, name), user.uid, user.gid);
  /** It can read them, whatever the file mask of this process is. */
  const write = (path: string, text: string) => {
    writeFileSync(path, text);
    chownSync(path, user.uid, user.gid);
  };
  write(file, configuration(dir, ports, user));
  const start = () =>
    startProgram(program, ['-F', '-c', file], { port: ports.imap, uid: user.uid, gid: user.gid });
  let running = await start();
  const lmtp = nodemailer.createTransport({ host: '127.0.0.1', port: ports.lmtp, lmtp: true, secure: false });

  return {
    ports,
    mailbox(address = 'support@shop.test'): DovecotMailbox {
      const login = [address, password].map(encodeURIComponent).join(':');
      const { uid, gid } = user;
      const connection = { host: '127.0.0.1', port: ports.imap, secure: false, doSTARTTLS: false };
      async function open<Result>(use: (client: ImapFlow) => Promise<Result>): Promise<Result> {
        const client = new ImapFlow({
          ...connection,
          auth: { user: address, pass: password },
          logger: false,
        });
        await client.connect();
        try {
          await client.mailboxOpen('INBOX');
          return await use(client);
        } finally {
          client.close();
        }
      }
      return {
        open,
        mails: () =>
          open(async (client) => {
            const found: string[] = [];
            for await (const { source } of client.fetch('1:*', { source: true })) found.push(String(source));
            return found;
          }),
        url: `imap://${login}@127.0.0.1:${ports.imap}/INBOX`,
        async deliver(raw, detail) {
          const to = detail === undefined ? address : address.replace('@', `+${detail}@`);
          const { rejected } = await lmtp.sendMail({ envelope: { from: 'ada@example.com', to }, raw });
          if (rejected.length > 0) throw new Error(`no mail was delivered to ${to}`);
        },
        doveadm: (command, ...more) =>
          promisify(execFile)('/usr/bin/doveadm', ['-c', file, ...command, '-u', address, ...more], {
            uid,
            gid,
          }),
        setRights: (letters) =>
          write(
            join(dir, 'home', address, 'mail/mailboxes/INBOX/dbox-Mails/dovecot-acl'),
            `user=${address} ${letters}\n`,
          ),
      };
    },
    /** Ends it, with all connections. */
    halt: () => running.stop(),
    /** Starts it again with what it has kept, and with these lines in its configuration. */
    async resume(more = '') {
      write(join(dir, 'more.conf'), more);
      running = await start();
    },
    async stop() {
      lmtp.close();
      await running.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
