import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Config } from '../../core/config.ts';
import { parseConfig } from '../../config.ts';
import { inspectStore } from '../../core/store/inspect.ts';
import { openStore, type Store } from '../../core/store/open.ts';
import { storeFileName } from '../../core/store/sqlite/open-file.ts';
import { isSigned, removeLog, writeSnapshot } from '../../core/store/sqlite/backup.ts';
import { refuseOther } from '../../core/store/migrations.ts';
import { forgetLastUse } from '../../core/store/records/last-use.ts';
import { createSeal, type Seal } from '../../core/store/seal.ts';
import { readSecretKey, secretKeyFile } from '../../core/store/secret.ts';
import { makeFolder, sync } from '../../core/store/sqlite/sync.ts';
import { becomeOwner, otherOwner, withoutServer } from '../open-store.ts';
import { schema } from '../../extras/index.ts';
import { fetchFolders, placeFolders } from '../store-folders.ts';

/** @throws when there is no key */
function sealOf({ secretKey, dataDir }: Config): Seal {
  const key = readSecretKey(secretKey, dataDir);
  if (key === null)
    throw new Error(`put the secret key of the backup into SECRET_KEY or ${secretKeyFile(dataDir)} first`);
  return createSeal(key);
}

/** @throws when the file is not a complete store of this or an older version, or was sealed with another secret key */
function checkStore(file: string, name: string, seal: Seal): void {
  let found: ReturnType<typeof inspectStore>;
  try {
    found = inspectStore(file, schema);
  } catch (cause) {
    throw damaged(name, cause);
  }
  const { sealed } = found;
  refuseOther(found);
  if (sealed === null) throw new Error(`${name} is no backup of a store`);
  if (!seal.open('seal_check.sealed', sealed))
    throw new Error('the backup was made with another secret key: put that one into SECRET_KEY first');
}

const damaged = (name: string, cause: unknown) =>
  new Error(`${name} is damaged or no store: ${(cause as Error).message}`, { cause });

/**
 * Copies the store in a backup into `folder`, which nobody else can change. Returns the copy.
 * @param isTrusted whether a file without a signature is accepted, too, such as a store with its log
 * @throws when the backup cannot be used
 */
async function readBackup(backup: string, folder: string, seal: Seal, isTrusted: boolean): Promise<string> {
  if (!existsSync(backup)) throw new Error(`there is no file ${backup}`);
  if (!statSync(backup).isFile()) throw new Error(`${backup} is no file`);
  const [same, store] = [join(folder, 'backup'), join(folder, storeFileName)];
  copyFileSync(backup, same);
  const isOurs = await isSigned(same, seal);
  if (!isOurs && !isTrusted) {
    checkStore(same, backup, seal);
    throw new Error(
      `${backup} was changed, or not written by "deskside backup": give --unsigned if you know where it comes from`,
    );
  }
  // The log of a store is beside it, not in the copy.
  await writeSnapshot(isOurs ? same : backup, store).catch((cause: unknown) => {
    throw damaged(backup, cause);
  });
  rmSync(same);
  checkStore(store, backup, seal);
  await prepare(folder);
  removeLog(store);
  return store;
}

/**
 * Gives the existing store a second name, which is returned; null when there is no store. Its log is brought into it. A
 * log that is left gets the second name, too, since it would be taken for that of the next store.
 */
function keepAside(store: string): string | null {
  const name = `${store}.before-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  let aside = name;
  for (let n = 2; existsSync(aside); n += 1) aside = `${name}-${n}`;
  const isThere = existsSync(store);
  if (isThere) {
    try {
      removeLog(store);
    } catch {
      // It is damaged.
    }
  }
  for (const ending of ['-wal', '-shm'])
    if (existsSync(store + ending)) renameSync(store + ending, aside + ending);
  if (isThere) linkSync(store, aside);
  return isThere ? aside : null;
}

/**
 * Refuses a store that has more than the tables of Deskside. The next server must know that the store was set back, even
 * if the backup is only seconds old.
 */
async function prepare(dataDir: string): Promise<void> {
  const [store, empty] = [await openStore({ dataDir }, schema), await openStore('memory', schema)];
  try {
    const known = await tablesOf(empty);
    const unknown = (await tablesOf(store)).find((name) => !known.includes(name));
    if (unknown !== undefined) throw new Error(`it has a table that is not of Deskside: ${unknown}`);
    await forgetLastUse(store);
  } finally {
    await Promise.all([store.destroy(), empty.destroy()]);
  }
}

const tablesOf = async (store: Store): Promise<string[]> =>
  (await store.introspection.getTables()).map(({ name }) => name);

/** Puts `store` in the place of the one in `dataDir`. Returns the new name of that one; null when there was none. */
async function replaceStore(dataDir: string, store: string): Promise<string | null> {
  const draft = join(dataDir, `restore-${randomUUID()}`);
  try {
    await writeSnapshot(store, draft);
    const file = join(dataDir, storeFileName);
    const aside = keepAside(file);
    // In one step: there is a store at any moment.
    renameSync(draft, file);
    sync(dataDir);
    return aside;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Replaces the store by a backup, and keeps the old store beside it.
 * @throws when a server uses the store, or the backup cannot be used; nothing is changed then
 */
async function run({ env, out }: Cli, source: string, isTrusted: boolean): Promise<ExitCode> {
  const config = parseConfig(env);
  const { dataDir, place } = config;
  if ('databaseUrl' in place)
    throw new Error('the store is on a server: put a copy in its place with pg_restore');
  const seal = sealOf(config);
  const from = resolve(source);
  process.umask(0o077);
  // Where root and then the owner of the store may read it.
  const owner = otherOwner(dataDir);
  if (!owner) makeFolder(dataDir);
  const folder = mkdtempSync(join(owner ? tmpdir() : dataDir, 'restore-'));
  try {
    const store = await readBackup(from, folder, seal, isTrusted);
    fetchFolders(from, folder, owner);
    if (owner) for (const path of [folder, store]) chownSync(path, owner.uid, owner.gid);
    becomeOwner(dataDir);
    makeFolder(dataDir);
    const { folders, aside } = await withoutServer(dataDir, async () => ({
      // First, so that no row lacks its file.
      folders: placeFolders(folder, dataDir),
      aside: await replaceStore(dataDir, store),
    }));
    out.line(`${join(dataDir, storeFileName)} is that of ${from}`);
    for (const line of folders) out.line(line);
    if (aside) out.line(`The store that stood there is ${aside}`);
    return exitCodes.ok;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const restoreCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('restore')
    .description('put a backup in the place of the store, while no server runs')
    .argument('<file>', 'the backup')
    .option('--unsigned', 'accept a file that was not written by the command backup')
    .action(async (file: string, { unsigned = false }: { unsigned?: boolean }) =>
      onExit(await run(cli, file, unsigned)),
    );
};
