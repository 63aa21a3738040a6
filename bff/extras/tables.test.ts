import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStore } from '../core/store/open.ts';
import { schema } from './index.ts';

/** They are about the processes that run now. */
const notMoved = ['instances', 'interests', 'outbox', 'outbox_shards', 'watch_shards'];

it('every table moves with the store to another database, except those about running instances', async () => {
  const store = await openStore('memory', schema);
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'
  `.execute(store);
  await store.destroy();
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(schema.keys), ...notMoved].toSorted(),
  );
});
