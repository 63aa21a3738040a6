import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { freePort, startProgram } from './processes.ts';

/** Where Debian has Postfix. */
const programs = '/usr/lib/postfix/sbin';

/** Postfix starts its parts as users of its own, which only root may do. */
export const hasPostfix = () => process.getuid?.() === 0 && existsSync(join(programs, 'master'));

/** It takes mails from this machine alone, and hands all of them to the server with the mailboxes. */
const settings = (dir: string, lmtpPort: number) => `
compatibility_level = 3.6
queue_directory = ${dir}/queue
data_directory = ${dir}/data
daemon_directory = ${programs}
maillog_file = ${dir}/log
maillog_file_prefixes = ${dir}
myhostname = mx.shop.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
mydestination =
local_recipient_maps =
alias_maps =
alias_database =
default_transport = lmtp:inet:127.0.0.1:${lmtpPort}
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
message_size_limit = 50000000
`;

const services = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;

const queues = ['incoming', 'active', 'deferred', 'defer', 'bounce', 'trace', 'corrupt', 'hold', 'saved'];

export type Postfix = Awaited<ReturnType<typeof startPostfix>>;

/**
 * Starts Debian's mail transfer agent on a free port of this machine, with all its files in a folder of its own. It
 * delivers every mail over LMTP, and tries again each second.
 */
export async function startPostfix(lmtpPort: number) {
  const dir = mkdtempSync(join(tmpdir(), 'deskside-postfix-'));
  const port = await freePort();
  writeFileSync(join(dir, 'main.cf'), settings(dir, lmtpPort));
  writeFileSync(join(dir, 'master.cf'), services(port));
  chmodSync(dir, 0o755);
  const folders = (owner: string, ...names: string[]) =>
    execFileSync('/usr/bin/install', ['-d', '-o', owner, ...names.map((name) => join(dir, name))]);
  folders('root', 'queue', 'queue/pid');
  folders('postfix', 'data', 'queue/private', 'queue/public', ...queues.map((name) => `queue/${name}`));
  const running = await startProgram(join(programs, 'master'), ['-c', dir], { port });
  const url = `smtp://127.0.0.1:${port}`;
  const transport = nodemailer.createTransport({ url });

  return {
    /** For `SMTP_URL`. */
    url,
    /** Sends a mail as a mail program does. */
    async send(raw: string | Buffer, envelope: { from: string; to: string }): Promise<void> {
      await transport.sendMail({ envelope, raw });
    },
    /** What it says it has done. */
    log: () => readFileSync(join(dir, 'log'), 'utf8'),
    async stop(): Promise<void> {
      transport.close();
      await running.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
