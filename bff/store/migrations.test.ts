import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { migrations } from './migrations.ts';
import { openStore } from './open.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'deskside-migrations-'));

it('a script is kept with every byte unchanged, and its bodies are deleted with it', async () => {
  const store = await openStore('memory');
  const body = Uint8Array.from([0, 0xff, 0x80]);
  await store.insertInto('scripts').values({ name: 'a', seen_at: 1 }).execute();
  await store.insertInto('script_bodies').values({ name: 'a', coding: 'br', body }).execute();
  const stored = await store.selectFrom('script_bodies').select('body').executeTakeFirstOrThrow();
  expect([...stored.body]).toEqual([...body]);
  await store.deleteFrom('scripts').execute();
  expect(await store.selectFrom('script_bodies').selectAll().execute()).toEqual([]);
  await store.destroy();
});

it('a migration that is interrupted has changed nothing, and is completed at the next start', async () => {
  const dataDir = newFolder();
  await (await openStore({ dataDir })).destroy();
  let isBroken = true;
  migrations['schema-2'] = {
    async up(db) {
      await db.schema.createTable('later').addColumn('id', 'text').execute();
      if (isBroken) throw new Error('no room');
    },
  };
  onTestFinished(() => void delete migrations['schema-2']);
  await expect(openStore({ dataDir })).rejects.toThrow('no room');
  isBroken = false;
  const store = await openStore({ dataDir });
  expect((await sql`select * from later`.execute(store)).rows).toEqual([]);
  await store.destroy();
});

it('a new store numbers operations in the order of their inserts', async () => {
  const store = await openStore('memory');
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where name = 'operations'
  `.execute(store);
  expect(rows[0]!.sql).toContain('"seq" integer primary key autoincrement');
  await store.destroy();
});
