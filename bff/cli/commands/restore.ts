import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, parseConfig } from '../../config.ts';
import { holdAccepted } from '../../delivery/operator.ts';
import { inspectStore } from '../../store/inspect.ts';
import { openStore } from '../../store/open.ts';
import { storeFileName } from '../../store/sqlite/open-file.ts';
import { enterStore } from '../../store/sqlite/in-use.ts';
import { removeLog, writeSnapshot } from '../../store/sqlite/snapshot.ts';
import { refuseOther } from '../../store/schema-version.ts';
import { createSeal } from '../../store/seal.ts';
import { readSecretKey, secretKeyFile } from '../../store/secret.ts';
import { syncNames } from '../../store/sync-disk.ts';
import type { Cli } from '../command.ts';
import { giveToOwner } from '../ownership.ts';
import { type ExitCode, exitCodes } from '../terminal/output.ts';

/**
 * @throws when the file is not a complete store of this or an older version, or was sealed with another secret key
 */
function checkBackup(file: string, { secretKey, dataDir }: Config): void {
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const { sealed, ...version } = inspect(file);
  refuseOther(version);
  if (sealed === null) throw new Error(`${file} is no backup of a store`);
  const key = readSecretKey(secretKey, dataDir);
  if (key === null)
    throw new Error(`put the secret key of the backup into SECRET_KEY or ${secretKeyFile(dataDir)} first`);
  if (!createSeal(key).open('seal_check.sealed', sealed))
    throw new Error('the backup was made with another secret key: put that one into SECRET_KEY first');
}

function inspect(file: string) {
  try {
    return inspectStore(file);
  } catch (cause) {
    throw new Error(`${file} is damaged or no store: ${(cause as Error).message}`, { cause });
  }
}

/** Renames the existing store and its log. Returns the new name, or null when there was no store. */
function setAside(store: string): string | null {
  if (!existsSync(store)) return null;
  const name = `${store}.before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  let aside = name;
  for (let n = 2; existsSync(aside); n += 1) aside = `${name}-${n}`;
  for (const ending of ['', '-wal', '-shm'])
    if (existsSync(store + ending)) renameSync(store + ending, aside + ending);
  return aside;
}

/** Sends that waited when the backup was made may have been delivered since. So they are not sent automatically. */
async function holdDeliveries(dataDir: string): Promise<number> {
  const store = await openStore({ dataDir });
  try {
    return await holdAccepted(store);
  } finally {
    await store.destroy();
  }
}

/**
 * Replaces the store by a backup, and keeps the old store beside it.
 * @throws when a server uses the store, or the backup cannot be used; nothing is changed then
 */
export async function run({ env, out }: Cli, source: string): Promise<ExitCode> {
  const config = parseConfig(env);
  const { dataDir, place } = config;
  if ('databaseUrl' in place)
    throw new Error('the store is on a server: put a copy in its place with pg_restore');
  const from = resolve(source);
  const file = join(dataDir, storeFileName);
  checkBackup(from, config);
  process.umask(0o077);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const presence = enterStore(dataDir);
  try {
    if (!presence.wasAlone) throw new Error('a server runs on this store: stop it first');
    const draft = join(dataDir, `restore-${randomUUID()}`);
    let heldCount: number;
    let aside: string | null;
    try {
      mkdirSync(draft, { mode: 0o700 });
      const whole = join(draft, storeFileName);
      await writeSnapshot(from, whole);
      // Before it stands in its place, because a server would send at once.
      heldCount = await holdDeliveries(draft);
      removeLog(whole);
      aside = setAside(file);
      renameSync(whole, file);
      syncNames(dataDir);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    giveToOwner(dataDir, [file, join(dataDir, 'in-use.db')]);
    out.line(`${file} is that of ${from}`);
    if (aside) out.line(`The store that stood there is ${aside}`);
    if (heldCount > 0)
      out.line(
        `Deliveries that wait for your decision, since they may have arrived after the backup: ${heldCount}. See deskside operations list --state undecided`,
      );
    return exitCodes.ok;
  } finally {
    presence.leave();
  }
}
