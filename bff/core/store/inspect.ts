import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import { type RawBuilder, sql } from 'kysely';
import { type Schema, type SchemaVersion, schemaVersionOf, versionOf } from './migrations.ts';
import { onDirectConnection, onServer, type ServerPlace, type Store, type StorePlace } from './open.ts';
import { storeFileName } from './sqlite/open-file.ts';
import { inTransaction } from './statements/transaction.ts';

/* Tells the state of a store, and leaves nothing behind. */

export interface StoreInspection extends SchemaVersion {
  /** A value that was sealed with the secret key of this store. Null for a store that was never used. */
  sealed: string | null;
}

/**
 * Inspects the file of a store, and changes nothing in it.
 * @throws when it cannot be opened or is damaged
 */
export function inspectStore(file: string, schema: Schema): StoreInspection {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 2_000 });
  try {
    const integrity = sqlite.pragma('quick_check(1)', { simple: true });
    if (integrity !== 'ok') throw new Error(String(integrity));
    const version = schemaVersionOf(sqlite, schema);
    // SECURITY: they would run with the rights of the server. No version of ours has any.
    const foreign = sqlite.prepare<[], string>(
      "SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT 1",
    );
    const name = foreign.pluck().get();
    if (name !== undefined) throw new Error(`it has a trigger or a view that is not of Deskside: ${name}`);
    const isSealed = !!sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'seal_check'").get();
    const sealed = isSealed
      ? sqlite.prepare<[], string>('SELECT sealed FROM seal_check').pluck().get()
      : undefined;
    return { ...version, sealed: sealed ?? null };
  } finally {
    sqlite.close();
  }
}

/**
 * Takes the lock of a store's file that a write takes, and changes nothing in it.
 * @throws when another program holds the lock, or the file cannot be written
 */
export function tryLock(file: string): void {
  const sqlite = new Database(file, { fileMustExist: true, timeout: 2_000 });
  try {
    sqlite.exec('BEGIN IMMEDIATE; ROLLBACK');
  } finally {
    sqlite.close();
  }
}

/** Inspects the store at a place, and changes nothing. Null when there is no store yet. */
export async function inspectPlace(
  place: Exclude<StorePlace, 'memory'>,
  schema: Schema,
): Promise<StoreInspection | null> {
  if ('dataDir' in place) {
    const file = join(place.dataDir, storeFileName);
    return existsSync(file) ? inspectStore(file, schema) : null;
  }
  return onServer(place.databaseUrl, async (db, { migrationsOf }) => {
    const done = await migrationsOf(db);
    if (done.length === 0) return null;
    const row = await db.selectFrom('seal_check').select('sealed').executeTakeFirst();
    return { ...versionOf(done, schema), sealed: row?.sealed ?? null };
  });
}

/**
 * What keeps a database server from holding this store, such as a right that the role lacks, in words. Null when nothing
 * does.
 * @param isComplete whether the store has all its tables, so that none must be created
 */
export const whyUnusable = (
  { databaseUrl }: ServerPlace,
  { keys }: Schema,
  isComplete: boolean,
): Promise<string | null> =>
  onServer(databaseUrl, async (db) => {
    const tables = sql.join(Object.keys(keys));
    const { rows } = await sql<{
      schema: string | null;
      may_create: boolean | null;
      is_read_only: boolean;
      of_others: string | null;
    }>`
      select current_schema() as schema, has_schema_privilege(current_schema(), 'CREATE') as may_create,
        current_setting('transaction_read_only') = 'on' as is_read_only,
        case when to_regclass('kysely_migration') is null then (
          select min(relname) from pg_class
          where relnamespace = current_schema()::regnamespace and relname in (${tables})
        ) end as of_others`.execute(db);
    const { schema, may_create: mayCreate, is_read_only: isReadOnly, of_others: ofOthers } = rows[0]!;
    if (isReadOnly) return 'the server is read-only, as a standby is';
    if (!isComplete && ofOthers !== null)
      return `the table ${ofOthers} is of another program: use a database of its own`;
    if (schema === null) return 'the role may use none of the schemas of its search_path';
    const closed = await whyClosed(db, tables, isComplete);
    if (closed !== null) return closed;
    if (!isComplete && !mayCreate) return `the role may not create tables in the schema ${schema}`;
    return null;
  });

/** What of our tables that are there the role may not use, or not change where others must be created. */
async function whyClosed(
  db: Store,
  tables: RawBuilder<unknown>,
  isComplete: boolean,
): Promise<string | null> {
  const { rows } = await sql<Record<'name' | 'owner', string> & Record<string, boolean>>`
    with ours as (
      select to_regclass(quote_ident(name)) as oid from unnest(array[${tables}]) as name
    )
    select relname as name, pg_get_userbyid(relowner) as owner, relkind = 'S' as is_sequence,
      pg_has_role(relowner, 'USAGE') as is_owned, row_security_active(oid) as has_policies,
      case when relkind = 'S' then has_sequence_privilege(oid, 'USAGE')
        else has_table_privilege(oid, 'SELECT') and has_table_privilege(oid, 'INSERT')
        and has_table_privilege(oid, 'UPDATE') and has_table_privilege(oid, 'DELETE') end as is_open
    from pg_class
    where relkind in ('r', 'S') and (oid in (select oid from ours) or oid in (
      select objid from pg_depend where classid = 'pg_class'::regclass and refobjid in (select oid from ours)))
    order by relkind desc, relname`.execute(db);
  for (const { name, owner, ...is } of rows) {
    if (is['has_policies']) return `row-level security hides the rows of the table ${name} from the role`;
    if (!isComplete && !is['is_owned'])
      return `the role may not change the table ${name}, which is of ${owner}`;
    if (!is['is_open'])
      return is['is_sequence']
        ? `the role may not use the sequence ${name}`
        : `the role may not read and write the table ${name}`;
  }
  return null;
}

/** Other roles that may read or change rows of a store, except superusers. A grant that they insert opens a ticket. */
export const rolesWithAccess = ({ databaseUrl }: ServerPlace, { keys }: Schema): Promise<string[]> =>
  onServer(databaseUrl, async (db) => {
    const { rows } = await sql<{ role: string }>`
      select distinct coalesce(rolname, 'PUBLIC') as role
      from unnest(array[${sql.join(Object.keys(keys))}]) as name
      join pg_class on pg_class.oid = to_regclass(quote_ident(name))
      cross join aclexplode(relacl) left join pg_roles on pg_roles.oid = grantee
      where not relrowsecurity and grantee <> relowner and rolsuper is not true
      and rolname is distinct from current_user order by role`.execute(db);
    return rows.map(({ role }) => role);
  });

/** What in a database or its settings does not suit a store, in words with what to do. */
export const unsuitable = ({ databaseUrl }: ServerPlace): Promise<string[]> =>
  onServer(databaseUrl, async (db) => {
    const { rows } = await sql<{ isolation: string; encoding: string }>`
      select current_setting('default_transaction_isolation') as isolation,
        current_setting('server_encoding') as encoding`.execute(db);
    const { isolation, encoding } = rows[0]!;
    return [
      ...(isolation === 'read committed'
        ? []
        : [
            `default_transaction_isolation is ${isolation}, by which statements fail: set it to read committed`,
          ]),
      ...(['UTF8', 'SQL_ASCII'].includes(encoding)
        ? []
        : [`the encoding of the database is ${encoding}: create it with ENCODING 'UTF8'`]),
    ];
  });

/** How many connections a database server lets this role have, by the lowest of its limits. */
export const mostConnections = ({ databaseUrl }: ServerPlace): Promise<number> =>
  onServer(databaseUrl, async (db) => {
    const { rows } = await sql<{ most: number }>`
      select least(
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
      ) as most`.execute(db);
    return rows[0]!.most;
  });

/** Settings of a server without which it can lose what it has confirmed, by names of PostgreSQL. */
const durable = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** Those of the settings that make confirmed writes durable which are off, for this role. */
export const durabilityOff = ({ databaseUrl }: ServerPlace): Promise<string[]> =>
  onServer(databaseUrl, async (db) => {
    const { rows } = await sql<{ name: string }>`
      select name from unnest(array[${sql.join(durable)}]) as name where current_setting(name) = 'off'`.execute(
      db,
    );
    return rows.map(({ name }) => name);
  });

/**
 * Whether migrations and notifications go through a pooler, which takes options of a connection away, and may give each
 * statement another connection.
 */
export async function isPooled(place: ServerPlace): Promise<boolean> {
  // Options in the address come before ours, so nobody can tell.
  if (/[?&]options=/.test(place.directUrl ?? place.databaseUrl)) return false;
  return onDirectConnection(place, async (direct, { isDirect }) => !(await isDirect(direct)));
}

/** Whether both addresses lead to the same store, as far as there is one. */
export async function isOneStore({ databaseUrl, directUrl = databaseUrl }: ServerPlace, schema: Schema) {
  if (directUrl === databaseUrl) return true;
  const stores = [databaseUrl, directUrl].map((url) => inspectPlace({ databaseUrl: url }, schema));
  const [store, direct] = await Promise.all(stores);
  return store?.sealed === direct?.sealed;
}

/** The length of a long message, for which the store must grow. */
const checkedChars = 32 * 1024;

/** Writes to the store as a request does, and leaves nothing behind. */
async function writeAndRemove(store: Store): Promise<void> {
  const hash = randomUUID().padEnd(checkedChars, '.');
  await inTransaction(store, async (trx) => {
    await trx.insertInto('used_once').values({ purpose: 'write check', hash, expires_at: 0 }).execute();
    await trx.deleteFrom('used_once').where('purpose', '=', 'write check').execute();
  });
}

/** Whether the store accepts a write now. Never rejects. */
export const isWritable = (store: Store): Promise<boolean> =>
  writeAndRemove(store).then(
    () => true,
    () => false,
  );

/**
 * Tries a write on a database server, and changes nothing.
 * @throws when the server takes none
 */
export const tryWrite = ({ databaseUrl }: ServerPlace): Promise<void> =>
  onServer(databaseUrl, writeAndRemove);
