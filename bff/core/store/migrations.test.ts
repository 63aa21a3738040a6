import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Migration, sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStore } from './open.ts';
import { coreSchema } from './migrations.ts';

it('a migration that is interrupted has changed nothing, and is completed at the next start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-migrations-'));
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
