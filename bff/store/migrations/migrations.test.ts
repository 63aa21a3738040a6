import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, Migrator, sql, SqliteDialect } from 'kysely';
import { expect, it, vi } from 'vitest';
import { openStore } from '../open.ts';
import type { Tables } from '../schema.ts';
import { migrations } from './index.ts';

/** Creates a store of an older version, with one session in it. Returns its folder. */
async function storeOfVersion(name: string): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-migrations-'));
  const dialect = new SqliteDialect({ database: new Database(join(dataDir, 'deskside.db')) });
  const db = new Kysely<Tables>({ dialect });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  expect((await migrator.migrateTo(name)).error).toBeUndefined();
  await db.insertInto('subjects').values({ id: 'visitor', verified: 0, created_at: 1 }).execute();
  const session = { id: 's', subject_id: 'visitor', token_hash: 'h', created_at: 1, expires_at: 2 };
  await db
    .insertInto('sessions')
    .values(session as never)
    .execute();
  await db.destroy();
  return dataDir;
}

it('a store from before transfers keeps its sessions, and can store transfers', async () => {
  const store = await openStore({ dataDir: await storeOfVersion('0003-delivery') });
  expect(await store.selectFrom('sessions').select('id').execute()).toEqual([{ id: 's' }]);
  const ends = { from_subject: 'visitor', to_subject: 'visitor' };
  await store
    .insertInto('transfers')
    .values({ token_hash: 'h', from_session: 's', expires_at: 2, ...ends })
    .execute();
  await store.deleteFrom('subjects').execute();
  expect(await store.selectFrom('transfers').selectAll().execute()).toEqual([]);
  await store.destroy();
});

it('a store from before stored scripts can keep scripts, with every byte unchanged', async () => {
  const store = await openStore({ dataDir: await storeOfVersion('0005-transfers') });
  const body = Uint8Array.from([0, 0xff, 0x80]);
  await store.insertInto('scripts').values({ name: 'a', seen_at: 1 }).execute();
  await store.insertInto('script_bodies').values({ name: 'a', coding: 'br', body }).execute();
  const stored = await store.selectFrom('script_bodies').select('body').executeTakeFirstOrThrow();
  expect([...stored.body]).toEqual([...body]);
  await store.deleteFrom('scripts').execute();
  expect(await store.selectFrom('script_bodies').selectAll().execute()).toEqual([]);
  expect(await store.selectFrom('sessions').select('id').execute()).toEqual([{ id: 's' }]);
  await store.destroy();
});

it('a migration that is interrupted has changed nothing, and is completed at the next start', async () => {
  const dataDir = await storeOfVersion('0005-transfers');
  const { up } = migrations['0006-deploys']!;
  const broken = vi.spyOn(migrations['0006-deploys']!, 'up').mockImplementation(async (db) => {
    await up(db);
    throw new Error('no room');
  });
  await expect(openStore({ dataDir })).rejects.toThrow('no room');
  broken.mockRestore();
  const store = await openStore({ dataDir });
  expect(await store.selectFrom('scripts').selectAll().execute()).toEqual([]);
  await store.destroy();
});

it('two processes that open an older store at once both find it migrated', async () => {
  const dataDir = await storeOfVersion('0003-delivery');
  const stores = await Promise.all([openStore({ dataDir }), openStore({ dataDir })]);
  for (const store of stores) {
    expect(await store.selectFrom('scripts').selectAll().execute()).toEqual([]);
    await store.destroy();
  }
});

it('a new store numbers operations in the order of their inserts', async () => {
  const store = await openStore('memory');
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where name = 'operations'
  `.execute(store);
  expect(rows[0]!.sql).toContain('"seq" integer primary key autoincrement');
  await store.destroy();
});
