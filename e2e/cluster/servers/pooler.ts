import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivileged } from '../../../scripts/postgres.ts';
import { freePort } from '../../../scripts/processes.ts';
import { startProgram } from './program.ts';

export const pgbouncer = '/usr/sbin/pgbouncer';

/** PgBouncer in transaction mode before this database, configured as docs/operating.md says. */
export async function startPooler(databaseUrl: string) {
  if (!existsSync(pgbouncer)) throw new Error('no PgBouncer here: apt-get install pgbouncer');
  const { hostname, port: databasePort, username, pathname } = new URL(databaseUrl);
  const user = unprivileged();
  const dir = mkdtempSync(join(tmpdir(), 'deskside-pgbouncer-'));
  const config = join(dir, 'pgbouncer.ini');
  const port = await freePort();
  const database = `host=${hostname} port=${databasePort} user=${username}`;
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 40,
    max_client_conn: 500,
    ignore_startup_parameters:
      'extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
  };
  writeFileSync(
    config,
    [
      '[databases]',
      `postgres = ${database}`,
      '[pgbouncer]',
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    ].join('\n'),
  );
  if (user.uid !== undefined) for (const path of [dir, config]) chownSync(path, user.uid, user.gid!);
  const start = () => startProgram(pgbouncer, ['-q', config], { port, ...user });
  let running = await start();
  return {
    port,
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    /** All its connections end at once, on both sides. */
    async restart(): Promise<void> {
      await running.kill();
      running = await start();
    },
    async stop(): Promise<void> {
      await running.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
