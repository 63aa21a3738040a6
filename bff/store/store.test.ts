import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSeal, openStore, type Store } from './open.ts';
import { enterStore } from './presence.ts';
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

  it('is refused under another secret key, so that nothing in it is taken for lost', async () => {
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
