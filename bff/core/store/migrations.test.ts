import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Migration, sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStore } from './open.ts';
import { coreSchema } from './migrations.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'deskside-migrations-'));

it('a script is kept with every byte unchanged, and its bodies are deleted with it', async () => {
  const store = await openStore('memory', coreSchema);
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
  await (await openStore({ dataDir }, coreSchema)).destroy();
  let isBroken = true;
  const later: Migration = {
    async up(db) {
      await db.schema.createTable('later').addColumn('id', 'text').execute();
      if (isBroken) throw new Error('no room');
    },
  };
  const next = { ...coreSchema, migrations: { ...coreSchema.migrations, 'core-2': later } };
  await expect(openStore({ dataDir }, next)).rejects.toThrow('no room');
  isBroken = false;
  const store = await openStore({ dataDir }, next);
  expect((await sql`select * from later`.execute(store)).rows).toEqual([]);
  await store.destroy();
});

it('a new store numbers operations in the order of their inserts', async () => {
  const store = await openStore('memory', coreSchema);
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where name = 'operations'
  `.execute(store);
  expect(rows[0]!.sql).toContain('"seq" integer primary key autoincrement');
  await store.destroy();
});
