import { Kysely, Migrator, type LogEvent } from 'kysely';
import type { Counter, Histogram } from 'prom-client';
import { type Schema, refuseOther, versionOf } from './migrations.ts';
import { codeOf } from './errors.ts';
import type * as Server from './postgres/connections.ts';
import type { Tables } from './schema.ts';
import type { Seal } from './seal.ts';
import { sqliteDialect } from './sqlite/open-file.ts';

/* Opens and migrates a store, and measures its statements. Which rows it has is for others. */

export type Store = Kysely<Tables>;

/**
 * PostgreSQL, or SQLite: a file in a folder, or in memory for tests. `directUrl`: the same database without a pooler,
 * which migrations need.
 */
export type StorePlace = ServerPlace | { dataDir: string } | 'memory';
export interface ServerPlace {
  databaseUrl: string;
  directUrl?: string;
}

/**
 * Opens the store, and creates or migrates it if needed.
 * @throws when it cannot be opened, is corrupt or of another build, or a migration fails
 */
export async function openStore(
  where: StorePlace,
  schema: Schema,
  metrics?: StatementMetrics,
): Promise<Store> {
  const log = metrics && measureStatements(metrics);
  if (where === 'memory' || 'dataDir' in where) {
    const store = new Kysely<Tables>({ dialect: sqliteDialect(where, schema), ...(log && { log }) });
    try {
      await migrate(store, schema);
      return store;
    } catch (error) {
      await store.destroy();
      throw error;
    }
  }
  const { migrationsOf, openPool, postgresDialect, schemaOf } = await serverModule();
  const isPooled = await onDirectConnection(where, async (direct, server) => {
    refuseOther(versionOf(await migrationsOf(direct), schema));
    await migrate(direct, schema, await schemaOf(direct));
    return mayBePooled(where, direct, server);
  });
  const onNoConnection = (error: unknown) => metrics?.statementErrors.inc({ code: primaryCode(error) });
  const dialect = postgresDialect(openPool(where.databaseUrl), { isPooled, onNoConnection });
  const store = new Kysely<Tables>({ dialect, ...(log && { log }) });
  try {
    if (versionOf(await migrationsOf(store), schema).pending.length > 0)
      throw new Error(
        'DATABASE_NOTIFY_URL leads to another database than DATABASE_URL: name the same in both',
      );
    return store;
  } catch (error) {
    await store.destroy();
    throw error;
  }
}

/** Loaded only when used, because most operators have no server. */
const serverModule = () => import('./postgres/connections.ts');

type UseOfServer<Result> = (db: Store, server: typeof Server) => Promise<Result>;

/** Connects to a server for as long as `use` takes. */
export async function onServer<Result>(
  url: string,
  use: UseOfServer<Result>,
  options?: Parameters<typeof Server.openPool>[1],
): Promise<Result> {
  const server = await serverModule();
  const db = new Kysely<Tables>({ dialect: server.postgresDialect(server.openPool(url, options)) });
  try {
    return await use(db, server);
  } finally {
    await db.destroy();
  }
}

/** The same past a pooler and without time limits, as migrations need it. */
export const onDirectConnection = <Result>(
  { databaseUrl, directUrl = databaseUrl }: ServerPlace,
  use: UseOfServer<Result>,
): Promise<Result> => onServer(directUrl, use, { isPatient: true });

/** Whether `databaseUrl` may lead to a pooler. `direct`: a connection to `directUrl`. */
const mayBePooled = async (
  { databaseUrl, directUrl = databaseUrl }: ServerPlace,
  direct: Store,
  { isDirect }: typeof Server,
): Promise<boolean> => directUrl !== databaseUrl || !(await isDirect(direct));

/** The same store on separate connections, for messages between instances. */
export async function openAmongInstances(place: ServerPlace): Promise<Store> {
  const { amongInstances, openPool, postgresDialect } = await serverModule();
  const isPooled = await onDirectConnection(place, (direct, server) => mayBePooled(place, direct, server));
  const pool = openPool(place.databaseUrl, amongInstances);
  return new Kysely<Tables>({ dialect: postgresDialect(pool, { isPooled }) });
}

/**
 * Runs all missing migrations, in one transaction. When several instances start together, one of them runs the
 * migrations.
 * @param migrationTableSchema of PostgreSQL. Without it, the migrator takes a record of migrations in any schema for ours.
 */
async function migrate(db: Store, { migrations }: Schema, migrationTableSchema?: string): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  // The core and each extra have an order of their own.
  const migrator = new Migrator({
    db,
    provider,
    allowUnorderedMigrations: true,
    ...(migrationTableSchema !== undefined && { migrationTableSchema }),
  });
  // The migrator takes the write lock also if nothing is missing, so this start would wait for other processes that write.
  if ((await migrator.getMigrations()).every(({ executedAt }) => executedAt)) return;
  const { error } = await migrator.migrateToLatest();
  if (error) throw error as Error;
}

/**
 * Checks that `seal` can open the content of this store.
 * @throws when the store was sealed under another secret key
 */
export async function checkSeal(store: Store, seal: Seal): Promise<void> {
  const row = await store.selectFrom('seal_check').select('sealed').executeTakeFirst();
  if (!row)
    await store
      .insertInto('seal_check')
      .values({ sealed: seal.seal('seal_check.sealed', true) })
      .execute();
  else if (!seal.open('seal_check.sealed', row.sealed))
    throw new Error(
      'the store was made with another SECRET_KEY: give that one, or start with an empty DATA_DIR',
    );
}

export interface StatementMetrics {
  statementDurations: Pick<Histogram<'statement'>, 'observe'>;
  statementErrors: Pick<Counter<'code'>, 'inc'>;
}

const kinds: Record<string, string> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

const kindOf = ({ query }: LogEvent['query']): string => kinds[query.kind] ?? 'other';

/** SQLite's codes without their extension, such as in `SQLITE_BUSY_SNAPSHOT`. PostgreSQL's, and ours, as they are. */
const primaryCode = (error: unknown) =>
  /^(SQLITE_[A-Z]+|UNREACHABLE|[0-9A-Z]{5}$)/.exec(codeOf(error))?.[0] ?? 'other';

/** Measures each statement that is logged. SECURITY: texts and parameters of statements are left out. */
export function measureStatements({ statementDurations, statementErrors }: StatementMetrics) {
  return (event: LogEvent): void => {
    statementDurations.observe({ statement: kindOf(event.query) }, event.queryDurationMillis / 1_000);
    if (event.level === 'error') statementErrors.inc({ code: primaryCode(event.error) });
  };
}
