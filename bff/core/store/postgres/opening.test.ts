import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { startBff } from '../../../testing/bff.ts';
import { fillDisk } from '../../../testing/store/full-disk.ts';
import { createDatabase, openTestStore } from '../../../testing/store/test-store.ts';
import { copyStore } from '../copy.ts';
import {
  durabilityOff,
  inspectPlace,
  isOneStore,
  isPooled,
  mostConnections,
  rolesWithAccess,
  tryWrite,
  unsuitable,
  whyUnusable,
} from '../inspect.ts';
import { schema } from '../../../extras/index.ts';
import { openAmongInstances, openStore } from '../open.ts';
import type { Tables } from '../schema.ts';
import { coreSchema } from '../migrations.ts';
import { openPool, postgresDialect } from './connections.ts';

const newPlace = async () => ({ databaseUrl: await createDatabase('template0') });

it('an empty database that five instances open at once is migrated once', async () => {
  const place = await newPlace();
  const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(place, coreSchema)));
  expect(await inspectPlace(place, coreSchema)).toEqual({ pending: [], unknown: [], sealed: null });
  const { rows } = await sql`select name from kysely_migration`.execute(stores[0]!);
  expect(rows).toHaveLength(Object.keys(coreSchema.migrations).length);
  await Promise.all(stores.map((store) => store.destroy()));
});

it('a role that may not create or write the tables is told which right it lacks', async () => {
  const place = await newPlace();
  const owner = await openStore(place, { ...coreSchema, migrations: {} });
  const role = `role_${randomUUID().slice(0, 8)}`;
  const run = (text: string) => sql.raw(text).execute(owner);
  await run(`create role ${role} login password 'secret'`);
  const url = new URL(place.databaseUrl);
  [url.username, url.password] = [role, 'secret'];
  const limited = { databaseUrl: url.href };
  expect(await whyUnusable(limited, coreSchema, false)).toBe(
    'the role may not create tables in the schema public',
  );
  await run(`grant create on schema public to ${role}`);
  expect(await whyUnusable(limited, coreSchema, false)).toBeNull();
  await run('create table tickets (id text)');
  expect(await whyUnusable(limited, coreSchema, true)).toBe(
    'the role may not read and write the table tickets',
  );
  await run(`grant select, insert, update, delete on tickets to ${role}`);
  expect(await whyUnusable(limited, coreSchema, true)).toBeNull();
  await run(`create table kysely_migration (name text)`);
  expect(await whyUnusable(limited, coreSchema, false)).toContain('may not change the table tickets');
  await run('create table operations (seq bigserial)');
  await run(`grant all on operations to ${role}`);
  expect(await whyUnusable(limited, coreSchema, true)).toBe(
    'the role may not use the sequence operations_seq_seq',
  );
  await run('alter table tickets enable row level security');
  expect(await whyUnusable(limited, coreSchema, true)).toContain('row-level security hides');
  await run(`revoke usage on schema public from public`);
  expect(await whyUnusable(limited, coreSchema, true)).toContain('none of the schemas');
  await owner.destroy();
});

it('a read-only server, and tables of another program, are told', async () => {
  const place = await newPlace();
  const standby = new URL(place.databaseUrl);
  standby.searchParams.set('options', '-c default_transaction_read_only=on');
  expect(await whyUnusable({ databaseUrl: standby.href }, coreSchema, false)).toContain('read-only');
  const other = new Kysely({ dialect: postgresDialect(openPool(place.databaseUrl)) });
  await sql`create table sessions (id text)`.execute(other);
  await other.destroy();
  expect(await whyUnusable(place, coreSchema, false)).toContain('the table sessions is of another program');
});

it('a connection to a server that has become read-only is replaced', async () => {
  const store = await openStore(await newPlace(), coreSchema);
  const write = () => store.insertInto('services').values({ url: 'http://a.test', known_at: 1 }).execute();
  await sql`set session characteristics as transaction read only`.execute(store);
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  await write();
  await store.destroy();
});

it('stores in several schemas of one database do not take the migrations of another for theirs', async () => {
  const { databaseUrl } = await newPlace();
  const owner = new Kysely<Tables>({ dialect: postgresDialect(openPool(databaseUrl)) });
  await sql.raw('create schema "First-one"; create schema second').execute(owner);
  for (const path of ['"First-one"', 'second,"First-one"']) {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', `-c search_path=${path}`);
    const store = await openStore({ databaseUrl: url.href }, coreSchema);
    await store.selectFrom('tickets').selectAll().execute();
    await store.destroy();
  }
  const { rows } = await sql`select schemaname from pg_tables where tablename = 'tickets'`.execute(owner);
  // The second path leads to the store that is there.
  expect(rows).toEqual([{ schemaname: 'First-one' }]);
  await sql.raw('alter schema "First-one" rename to other').execute(owner);
  await (await openStore({ databaseUrl }, coreSchema)).selectFrom('tickets').selectAll().execute();
  await owner.destroy();
});

it('every table can be changed in a database that publishes its tables', async () => {
  const { databaseUrl } = await newPlace();
  const store = await openStore({ databaseUrl }, schema);
  const { rows } = await sql`
    select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    and not exists (select 1 from pg_index where indrelid = pg_class.oid and indisprimary)`.execute(store);
  expect(rows).toEqual([]);
  await store.destroy();
});

it('a database for migrations that is another one is refused at the start, and found by the check', async () => {
  const [place, other] = [await newPlace(), await newPlace()];
  const mixed = { ...place, directUrl: other.databaseUrl };
  await expect(openStore(mixed, coreSchema)).rejects.toThrow('another database');
  for (const { databaseUrl } of [place, other]) {
    const store = await openStore({ databaseUrl }, coreSchema);
    await store.insertInto('seal_check').values({ sealed: databaseUrl }).execute();
    await store.destroy();
  }
  expect(await isOneStore(mixed, coreSchema)).toBe(false);
  expect(
    await isOneStore({ ...place, directUrl: `${place.databaseUrl}?application_name=direct` }, coreSchema),
  ).toBe(true);
});

it('an isolation and an encoding that do not suit a store are told', async () => {
  const { databaseUrl } = await newPlace();
  expect(await unsuitable({ databaseUrl })).toEqual([]);
  const url = new URL(databaseUrl);
  const owner = new Kysely({ dialect: postgresDialect(openPool(databaseUrl)) });
  await sql
    .raw(`create database ${url.pathname.slice(1)}_1 template template0 encoding LATIN1`)
    .execute(owner);
  await owner.destroy();
  url.pathname += '_1';
  url.searchParams.set('options', '-c default_transaction_isolation=serializable');
  const told = await unsuitable({ databaseUrl: url.href });
  expect(told).toEqual([
    expect.stringContaining('default_transaction_isolation is serializable'),
    expect.stringContaining('LATIN1'),
  ]);
});

it('a server that takes no writes is told with its reason, and the trial leaves nothing', async () => {
  const place = await newPlace();
  const store = await openStore(place, coreSchema);
  const freeDisk = await fillDisk(store);
  await expect(tryWrite(place)).rejects.toMatchObject({ code: '53100' });
  await freeDisk();
  await tryWrite(place);
  expect(await store.selectFrom('used_once').selectAll().execute()).toEqual([]);
  await store.destroy();
});

it('other roles that may use the tables are told, unless policies close the tables to them', async () => {
  const place = await newPlace();
  const store = await openStore(place, coreSchema);
  const role = `anon_${randomUUID().slice(0, 8)}`;
  const run = (text: string) => sql.raw(text).execute(store);
  expect(await rolesWithAccess(place, coreSchema)).toEqual([]);
  await run(`create role ${role}; grant insert on grants to ${role}; grant select on tickets to public`);
  expect(await rolesWithAccess(place, coreSchema)).toEqual(['PUBLIC', role]);
  await run('alter table grants enable row level security; alter table tickets enable row level security');
  expect(await rolesWithAccess(place, coreSchema)).toEqual([]);
  // They close nothing to the owner of the tables.
  expect(await whyUnusable(place, coreSchema, true)).toBeNull();
  await store.destroy();
});

it('the lowest limit of connections counts', async () => {
  const place = await newPlace();
  const most = await mostConnections(place);
  expect(most).toBeGreaterThan(100);
  const owner = await openStore(place, coreSchema);
  await sql
    .raw(`alter database ${new URL(place.databaseUrl).pathname.slice(1)} connection limit 5`)
    .execute(owner);
  await owner.destroy();
  expect(await mostConnections(place)).toBe(5);
});

it('settings of the server or of the role that let confirmed writes be lost are found', async () => {
  const { databaseUrl } = await newPlace();
  const off = (options: string) => {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', options);
    return durabilityOff({ databaseUrl: url.href });
  };
  // The server of the tests waits for no disk.
  expect(await off('')).toEqual(['fsync', 'full_page_writes', 'synchronous_commit']);
  expect(await off('-c synchronous_commit=local')).toEqual(['fsync', 'full_page_writes']);
});

it('a pooler in the way of migrations and notifications is found', async () => {
  const { databaseUrl } = await newPlace();
  const direct = new URL(databaseUrl);
  // As a pooler, it takes the option away: it gives it another name.
  const pooler = createServer((client) => {
    const behind = connect(Number(direct.port), direct.hostname);
    client.once('data', (bytes) => {
      behind.write(bytes.toString('latin1').replace('deskside.direct', 'deskside.others'), 'latin1');
      client.pipe(behind).pipe(client);
    });
    for (const socket of [client, behind]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  const pooled = new URL(databaseUrl);
  pooled.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`;
  expect(await isPooled({ databaseUrl: pooled.href })).toBe(true);
  expect(await isPooled({ databaseUrl: pooled.href, directUrl: databaseUrl })).toBe(false);
  pooler.close();
});

it('a database is reached by the Unix socket of its server', async () => {
  const { databaseUrl } = await newPlace();
  const { pathname, port } = new URL(databaseUrl);
  const direct = await openStore({ databaseUrl }, coreSchema);
  const { rows } = await sql<{
    folder: string;
  }>`select current_setting('unix_socket_directories') as folder`.execute(direct);
  await direct.destroy();
  const { folder } = rows[0]!;
  const urls = [
    `postgres://${pathname}?user=deskside&host=${folder}&port=${port}`,
    `postgres://deskside:unused@${pathname}?host=${folder}&port=${port}`,
    `postgres://deskside@${encodeURIComponent(folder)}:${port}${pathname}`,
  ];
  for (const url of urls) {
    const store = await openStore({ databaseUrl: url }, coreSchema);
    const found = await sql`select inet_client_addr() as address, current_database() as name`.execute(store);
    expect(found.rows).toEqual([{ address: null, name: pathname.slice(1) }]);
    await store.destroy();
  }
});

it('a database of another version is refused with its reason', async () => {
  const place = await newPlace();
  const store = await openStore(place, coreSchema);
  await sql`insert into kysely_migration values ('9999-later', '2030-01-01')`.execute(store);
  await store.destroy();
  await expect(openStore(place, coreSchema)).rejects.toThrow(/another version of Deskside \(9999-later\)/);
});

it('instances reach each other while statements of customers use all connections', async () => {
  const place = await newPlace();
  const [store, amongInstances] = [await openStore(place, coreSchema), await openAmongInstances(place)];
  const blocking = await amongInstances.startTransaction().execute();
  await sql`lock table scripts`.execute(blocking);
  const waiting = Promise.all(
    Array.from({ length: 20 }, () => store.selectFrom('scripts').selectAll().execute()),
  );
  await amongInstances.selectFrom('tickets').selectAll().execute();
  await blocking.commit().execute();
  expect(await waiting).toHaveLength(20);
  await Promise.all([store.destroy(), amongInstances.destroy()]);
});

it('a store that is copied from SQLite keeps every row, and accepts new sends after the old ones', async () => {
  const file = await openStore('memory', coreSchema);
  await file.insertInto('subjects').values({ id: 'ada', verified: 0, created_at: 1 }).execute();
  await file
    .insertInto('tickets')
    .values({ id: 't', facts_sealed: 'sealed', agent_count: 2, closed: 0, read_at: 3 })
    .execute();
  await file.insertInto('grants').values({ subject_id: 'ada', ticket_id: 't', created_at: 4 }).execute();
  const pending = {
    subject_id: 'ada',
    session_id: 's',
    kind: 'message',
    ticket_id: 't',
    state: 'accepted',
  } as const;
  for (const id of ['a', 'b', 'c'])
    await file
      .insertInto('operations')
      .values({ ...pending, id, key: id, fingerprint: id, ref: id, attempts: 0, created_at: 5, due_at: 6 })
      .execute();
  await file.insertInto('scripts').values({ name: 'app', seen_at: 1 }).execute();
  await file
    .insertInto('script_bodies')
    .values({ name: 'app', coding: 'br', body: Uint8Array.of(0, 255, 10) })
    .execute();
  const target = await openTestStore();
  const copied = await copyStore(file, target, coreSchema);
  expect(copied.get('operations')).toBe(3);
  for (const table of ['subjects', 'tickets', 'grants', 'operations', 'script_bodies'] as (keyof Tables)[]) {
    const rowsOf = async (store: typeof file) => {
      const rows = await store.selectFrom(table).selectAll().execute();
      return rows.map((row) => JSON.stringify(row, Object.keys(row).toSorted())).toSorted();
    };
    expect(await rowsOf(target)).toEqual(await rowsOf(file));
  }
  const { seq } = await target
    .insertInto('operations')
    .values({ ...pending, id: 'd', key: 'd', fingerprint: 'd', ref: 'd', attempts: 0, created_at: 7 })
    .returning('seq')
    .executeTakeFirstOrThrow();
  expect(seq).toBe(4);
  await Promise.all([file.destroy(), target.destroy()]);
});

it('a store that is on the server already is not overwritten', async () => {
  const bff = await startBff();
  await bff.store.insertInto('seal_check').values({ sealed: 'sealed' }).execute();
  const file = await openStore('memory', coreSchema);
  await expect(copyStore(file, bff.store, coreSchema)).rejects.toThrow(
    'there is a store on the server already',
  );
  await file.destroy();
  await bff.stop();
});
