import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { freePort, spawnOwned } from './processes.ts';

export interface PostgresServer {
  /** Of its database `postgres`. */
  url: string;
  pid: number;
  /** Ends it and starts it again with its data, on the same port. */
  restart(): Promise<void>;
  /** Ends it, and removes its data. */
  stop(): Promise<void>;
}

const debianRoot = '/usr/lib/postgresql';

/** The folder with `initdb` and `postgres` of the newest version; undefined when there is none. */
export function findPostgres(): string | undefined {
  const versions = existsSync(debianRoot) ? readdirSync(debianRoot) : [];
  const ofDebian = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(debianRoot, version, 'bin'));
  const all = [...ofDebian, ...(process.env['PATH'] ?? '').split(delimiter)];
  return all.find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * A server refuses to run as root. If this process is root, the server runs as the owner of PostgreSQL's data folder.
 */
export function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = statSync('/var/lib/postgresql');
  return { uid, gid };
}

/**
 * Starts a separate server on a free port of this machine, with an empty folder. Nothing waits for the disk, so all
 * data is lost when the machine stops.
 * @param settings more of its settings, such as `max_connections=300`
 */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = findPostgres();
  if (!folder) throw new Error('no PostgreSQL here: apt-get install postgresql');
  const user = unprivileged();
  const data = mkdtempSync(join(tmpdir(), 'deskside-postgres-'));
  if (user.uid !== undefined) chownSync(data, user.uid, user.gid!);
  const options = { ...user, cwd: data, stdio: 'ignore' } as const;
  const made = spawn(
    join(folder, 'initdb'),
    ['-D', data, '-U', 'deskside', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    options,
  );
  const [code] = (await once(made, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`initdb ended with ${code}`);
  const port = await freePort();
  const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
  const own = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${data}`];
  const url = `postgres://deskside@127.0.0.1:${port}/postgres`;
  async function start() {
    const started = spawnOwned(
      join(folder!, 'postgres'),
      ['-D', data, ...[...own, ...quick, ...settings].flatMap((setting) => ['-c', setting])],
      options,
    );
    await untilReady(url, started.child);
    return started;
  }
  let server = await start();
  // Fast shutdown: open connections are closed.
  const end = () => server.stop('SIGINT');
  return {
    url,
    get pid() {
      return server.child.pid!;
    },
    async restart() {
      await end();
      server = await start();
    },
    async stop() {
      await end();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, server: { exitCode: number | null }): Promise<void> {
  const { default: pg } = await import('pg');
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    const client = new pg.Client({ connectionString: url });
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('postgres did not start');
}
