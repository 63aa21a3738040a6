import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { fillDisk } from '../testing/full-disk.ts';
import { checkSeal, openStore, type Store } from './open.ts';
import { enterStore } from './presence.ts';
import { keepFilesPrivate } from './private-files.ts';
import { createSeal } from './seal.ts';
import { loadSecretKey } from './secret.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

describe('the store', () => {
  it('opens again with what it held', async () => {
    const dataDir = folder();
    const seal = createSeal('a secret of more than thirty-two characters');
    const first = await openStore({ dataDir });
    await checkSeal(first, seal);
    await first.destroy();
    const again = await openStore({ dataDir });
    await expect(checkSeal(again, seal)).resolves.toBeUndefined();
    await again.destroy();
  });

  it('is refused under another secret key, so that nothing in it is taken for lost [storage-6]', async () => {
    const store = await openStore('memory');
    await checkSeal(store, createSeal('a secret of more than thirty-two characters'));
    await expect(checkSeal(store, createSeal('another one, just as long as it must be'))).rejects.toThrow(
      'SECRET_KEY',
    );
    await store.destroy();
  });

  it('that is corrupt is named, and not started', async () => {
    const dataDir = folder();
    writeFileSync(
      join(dataDir, 'deskside.db'),
      'no database at all, but long enough to be looked at'.repeat(50),
    );
    await expect(openStore({ dataDir })).rejects.toThrow(join(dataDir, 'deskside.db'));
  });
});

it('a store with a damaged page is named, and not started', async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir });
  await store.destroy();
  const file = join(dataDir, 'deskside.db');
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  for (let page = 1; page < bytes.length / pageSize; page += 1)
    bytes.fill(0x5a, page * pageSize, page * pageSize + 64);
  writeFileSync(file, bytes);
  await expect(openStore({ dataDir })).rejects.toThrow(/deskside\.db.*damaged|malformed/);
});

it('a large store is checked at the start only where it was not closed', async () => {
  const dataDir = folder();
  const file = join(dataDir, 'deskside.db');
  const store = await openStore({ dataDir });
  await store.insertInto('scripts').values({ name: 'a.js', seen_at: 0 }).execute();
  const body = new Uint8Array(55 * 1024 * 1024);
  await store.insertInto('script_bodies').values({ name: 'a.js', coding: 'gzip', body }).execute();
  await store.destroy();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(64, 0x5a), 0, 64, 4_096 * 5_000);
  closeSync(descriptor);
  await (await openStore({ dataDir })).destroy();
  writeFileSync(`${file}-wal`, '');
  await expect(openStore({ dataDir })).rejects.toThrow(/deskside\.db.*damaged|malformed/);
});

describe('the mark of a process that uses the store', () => {
  /** Another process that uses the store until it is killed. */
  async function otherProcess(dataDir: string): Promise<ChildProcess> {
    const module = JSON.stringify(new URL('presence.ts', import.meta.url).href);
    const code = `const { enterStore } = await import(${module}); enterStore(${JSON.stringify(dataDir)});
      console.log('in'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code]);
    await once(child.stdout, 'data');
    return child;
  }

  it('tells whether another one does, and goes with it when it is killed', async () => {
    const dataDir = folder();
    const other = await otherProcess(dataDir);
    const beside = enterStore(dataDir);
    expect(beside.wasAlone).toBe(false);
    beside.leave();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(enterStore(dataDir).wasAlone).toBe(true);
  });
});

it('a transaction that begins with a read can still write: others wait for it', async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir });
  const other = await openStore({ dataDir });
  const read = (db: Store) => db.selectFrom('seal_check').selectAll().execute();
  const write = (db: Store, sealed: string) => db.insertInto('seal_check').values({ sealed }).execute();
  await store.transaction().execute(async (trx) => {
    await read(trx);
    await expect(write(other, 'two')).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    await write(trx, 'one');
  });
  expect(await read(other)).toEqual([{ sealed: 'one' }]);
  await Promise.all([store.destroy(), other.destroy()]);
});

describe('while another process holds the store', () => {
  /** Holds it until the answer is called. */
  function hold(dataDir: string): () => void {
    const other = new Database(join(dataDir, 'deskside.db'));
    other.exec('BEGIN IMMEDIATE');
    return () => void other.exec('COMMIT').close();
  }
  const marks = (db: Store) => db.selectFrom('seal_check').select('sealed').execute();

  it('a write waits, others read meanwhile, and it is done once the store is free [overload-38]', async () => {
    const dataDir = folder();
    const store = await openStore({ dataDir });
    const release = hold(dataDir);
    const written = Promise.allSettled([
      store.insertInto('seal_check').values({ sealed: 'alone' }).execute(),
      store
        .transaction()
        .execute((trx) => trx.insertInto('seal_check').values({ sealed: 'in a transaction' }).execute()),
    ]);
    // Each read goes through the one connection, between two tries of the writes.
    for (let n = 0; n < 5; n += 1) expect(await marks(store)).toEqual([]);
    release();
    expect((await written).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await marks(store)).toHaveLength(2);
    await store.destroy();
  });

  it('a write that has waited long enough fails as one that passes', async () => {
    const dataDir = folder();
    const store = await openStore({ dataDir });
    const release = hold(dataDir);
    const write = store.insertInto('seal_check').values({ sealed: 'late' }).execute();
    await expect(write).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    release();
    expect(await marks(store)).toEqual([]);
    await store.destroy();
  });
});

it('on a full disk a transaction fails with the reason, and the next one begins anew', async () => {
  const store = await openStore({ dataDir: folder() });
  const freeDisk = await fillDisk(store);
  const write = () =>
    store.transaction().execute((trx) => trx.insertInto('seal_check').values({ sealed: 'x' }).execute());
  await expect(write()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  await freeDisk();
  await write();
  await store.destroy();
});

describe('files of the store', () => {
  it('are for this user only, in a folder that was there with files for everybody [storage-4]', async () => {
    const dataDir = folder();
    const umask = process.umask(0o022);
    chmodSync(dataDir, 0o755);
    await (await openStore({ dataDir })).destroy();
    loadSecretKey(undefined, dataDir);
    chmodSync(join(dataDir, 'secret-key'), 0o644);
    writeFileSync(join(dataDir, 'not-ours'), '', { mode: 0o644 });
    expect(keepFilesPrivate(dataDir)).toEqual([]);
    const store = await openStore({ dataDir });
    await checkSeal(store, createSeal('a secret of more than thirty-two characters'));
    enterStore(dataDir);
    process.umask(umask);
    const modes = Object.fromEntries(
      readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]),
    );
    expect(modes).toMatchObject({ 'not-ours': 0o644, 'deskside.db': 0o600, 'deskside.db-wal': 0o600 });
    const { 'not-ours': _, ...ours } = modes;
    expect(new Set(Object.values(ours))).toEqual(new Set([0o600]));
    await store.destroy();
  });

  it('may be missing: the folder is made later', () => {
    const umask = process.umask();
    expect(keepFilesPrivate(join(folder(), 'none'))).toEqual([]);
    process.umask(umask);
  });
});

describe('the secret key', () => {
  it('is made once, for this user only, and kept', () => {
    const dataDir = folder();
    const key = loadSecretKey(undefined, dataDir);
    expect(key).toHaveLength(43);
    expect(loadSecretKey(undefined, dataDir)).toBe(key);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(loadSecretKey('given by the operator', dataDir)).toBe('given by the operator');
  });

  it('is not taken from an empty file', () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'secret-key'), '');
    expect(() => loadSecretKey(undefined, dataDir)).toThrow('secret-key');
  });
});
