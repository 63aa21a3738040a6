import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { fillDisk } from '../../testing/store/full-disk.ts';
import { openStore, type Store } from '../open.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

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
    // Each read uses the single connection, between two attempts of the writes.
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
