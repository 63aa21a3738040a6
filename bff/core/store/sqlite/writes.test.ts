import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { fillDisk } from '../../../testing/store/full-disk.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { isUnavailable } from '../errors.ts';
import { coreSchema } from '../migrations.ts';
import { openStore, type Store } from '../open.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

it('a transaction that begins with a read can still write: others wait for it', async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir }, coreSchema);
  const other = await openStore({ dataDir }, coreSchema);
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
  /** Another process that holds it for so long. Resolves once it does. */
  async function hold(dataDir: string, ms: number): Promise<Worker> {
    const code = `
      const { parentPort, workerData: { file, ms } } = require('node:worker_threads');
      const db = require('better-sqlite3')(file);
      db.exec('BEGIN IMMEDIATE');
      parentPort.postMessage('held');
      setTimeout(() => db.exec('COMMIT').close(), ms);
    `;
    const worker = new Worker(code, { eval: true, workerData: { file: join(dataDir, 'deskside.db'), ms } });
    await once(worker, 'message');
    return worker;
  }
  const marks = (db: Store) => db.selectFrom('seal_check').select('sealed').execute();
  const write = (db: Store) => db.insertInto('seal_check').values({ sealed: randomUUID() }).execute();

  it('a read does not wait, and a write is done once the store is free [overload-38]', async () => {
    const dataDir = folder();
    const store = await openStore({ dataDir }, coreSchema);
    const other = await hold(dataDir, 200);
    expect(await marks(store)).toEqual([]);
    await Promise.all([write(store), store.transaction().execute(write)]);
    expect(await marks(store)).toHaveLength(2);
    await other.terminate();
    await store.destroy();
  });

  it('the process goes on with other work while a write waits', async () => {
    const dataDir = folder();
    const store = await openStore({ dataDir }, coreSchema);
    const other = await hold(dataDir, 60_000);
    const waiting = { isOver: false };
    const writing = write(store).catch(() => (waiting.isOver = true));
    let reads = 0;
    for (; !waiting.isOver; reads += 1) {
      expect(await marks(store)).toEqual([]);
      await new Promise(setImmediate);
    }
    expect(reads).toBeGreaterThan(10);
    await writing;
    await other.terminate();
    await store.destroy();
  });

  it('a write that has waited long enough fails as one that passes', async () => {
    const dataDir = folder();
    const store = await openStore({ dataDir }, coreSchema);
    const other = await hold(dataDir, 60_000);
    await expect(write(store)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
    await other.terminate();
    await store.destroy();
  });
});

it('on a full disk a transaction fails with the reason, which is counted once, and the next one begins anew', async () => {
  const metrics = createMetrics();
  const store = await openStore({ dataDir: folder() }, coreSchema, metrics);
  const freeDisk = await fillDisk(store);
  const write = () =>
    store.transaction().execute((trx) => trx.insertInto('seal_check').values({ sealed: 'x' }).execute());
  await expect(write()).rejects.toSatisfy(isUnavailable);
  const { values } = await metrics.statementErrors.get();
  expect(values).toMatchObject([{ labels: { code: 'SQLITE_FULL' }, value: 1 }]);
  await freeDisk();
  await write();
  await store.destroy();
});

it('the log that grew during a long read of another process is small again after it', async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir }, coreSchema);
  await store.insertInto('scripts').values({ name: 'a.js', seen_at: 0 }).execute();
  const write = (coding: string, megabytes: number) => {
    const body = new Uint8Array(megabytes * 1024 * 1024);
    return store.insertInto('script_bodies').values({ name: 'a.js', coding, body }).execute();
  };
  const file = join(dataDir, 'deskside.db');
  const logSize = () => statSync(`${file}-wal`).size / 1024 / 1024;
  const reader = new Database(file, { readonly: true });
  reader.exec('BEGIN; SELECT count(*) FROM scripts');
  await write('gzip', 30);
  await write('br', 10);
  expect(logSize()).toBeGreaterThan(40);
  reader.exec('COMMIT');
  await write('one', 1);
  await write('two', 1);
  expect(logSize()).toBeLessThan(17);
  reader.close();
  await store.destroy();
});
