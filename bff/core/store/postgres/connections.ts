import type { EventEmitter } from 'node:events';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely';
import pg from 'pg';
import { codeOf, UnreachableError } from '../errors.ts';
import { nameOf } from '../statements/names.ts';

/*
 * Connections to a PostgreSQL server, for Kysely: how long each thing may take, and which failures end a connection. It
 * knows no table of ours.
 */

/** For one instance. With 20 instances, a server of 300 connections has room left. */
const maxConnections = 10;
/** How long a request waits for a free connection, or for a new one. */
const connectMs = 2_000;
/** How long the server works on one statement. */
const statementMs = 5_000;
/** How long one statement waits for another transaction. */
const lockMs = 2_000;
/** A process that was frozen in a transaction must not hold its locks for ever. */
const idleInTransactionMs = 10_000;
/** How long we wait for an answer, since a broken network may never bring one. */
const answerMs = statementMs + 1_000;

const { builtins } = pg.types;
/** Counts and times are far below 2^53. */
const numbers = new Set<number>([builtins.INT8, builtins.NUMERIC]);
const types = {
  getTypeParser: ((oid: number, format: 'text') =>
    numbers.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * The server answers with codes of five characters. All other errors come from the connection. So do codes of class
 * 08: PgBouncer answers 08P01 when it has lost the server. Some system codes, such as EPIPE, have five characters,
 * too.
 */
const isFromServer = (error: unknown) => /^(?!08|E)[0-9A-Z]{5}$/.test(codeOf(error));

interface PoolOptions extends pg.PoolConfig {
  isPatient?: boolean;
}

/**
 * A newer build has changed a table since this statement was prepared. The server has executed nothing of it, and would
 * refuse it on this connection for ever.
 */
const isOutdated = (error: unknown) => codeOf(error) === '0A000';

/** The server was the primary, and another one has taken over. A new connection may reach that one. */
const isReadOnly = (error: unknown) => codeOf(error) === '25006';

/** A client that knows whether its server is a standby, which PostgreSQL says when it connects. */
class StoreClient extends pg.Client {
  isOnStandby = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.isOnStandby = parameterValue === 'on';
    });
  }
}

/** A connection of the pool. After a failure it is closed and not used again. */
class StoreConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #isNaming: boolean;
  isBroken = false;
  isInTransaction = false;

  constructor(client: pg.PoolClient, isNaming: boolean) {
    this.#client = client;
    this.#isNaming = isNaming;
  }

  async #run<Row>(query: CompiledQuery, name: string | undefined): Promise<QueryResult<Row>> {
    const { command, rowCount, rows } = await this.#client
      .query({
        ...(name !== undefined && { name }),
        text: query.sql,
        values: query.parameters as unknown[],
      })
      .catch((error: unknown) => {
        this.isBroken ||= isOutdated(error) || isReadOnly(error) || !isFromServer(error);
        throw isFromServer(error) ? error : new UnreachableError(error);
      });
    const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return { rows, ...(isWrite && { numAffectedRows: BigInt(rowCount!) }) };
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.#run(query, this.#isNaming ? nameOf(query) : undefined);
    } catch (error) {
      // A transaction runs again as a whole.
      if (!isOutdated(error) || this.isInTransaction) throw error;
      return this.#run(query, undefined);
    }
  }

  streamQuery(): never {
    throw new Error('results are not streamed');
  }

  release(): void {
    this.isInTransaction = false;
    this.#client.release(this.isBroken);
  }
}

interface Connections {
  connect(): Promise<pg.PoolClient>;
  end(): Promise<void>;
}

/** Prepared statements have names, so that the server plans each once in a connection. */
class StoreDriver implements Driver {
  readonly #pool: Connections;
  readonly #isNaming: boolean;
  readonly #onNoConnection: (error: unknown) => void;
  /** Kysely prepares each object of a connection for the log, which takes as long as a short statement. */
  readonly #known = new WeakMap<pg.PoolClient, StoreConnection>();

  constructor(pool: Connections, isNaming: boolean, onNoConnection: (error: unknown) => void) {
    this.#pool = pool;
    this.#isNaming = isNaming;
    this.#onNoConnection = onNoConnection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StoreConnection> {
    const client = await this.#pool.connect().catch((cause: unknown) => {
      const error = isFromServer(cause) ? cause : new UnreachableError(cause);
      this.#onNoConnection(error);
      throw error;
    });
    // What a standby has not received yet would count as lost: customers would be signed out.
    if (client instanceof StoreClient && client.isOnStandby) {
      client.release(true);
      const error = new UnreachableError(new Error('in_hot_standby'));
      this.#onNoConnection(error);
      throw error;
    }
    const connection = this.#known.get(client) ?? new StoreConnection(client, this.#isNaming);
    this.#known.set(client, connection);
    return connection;
  }

  async releaseConnection(connection: StoreConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(connection: StoreConnection): Promise<void> {
    connection.isInTransaction = true;
    await connection.executeQuery(CompiledQuery.raw('begin'));
  }

  async commitTransaction(connection: StoreConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction(connection: StoreConnection): Promise<void> {
    // It is closed, which ends the transaction. An answer would be waited for as long again.
    if (connection.isBroken) return;
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  destroy = (): Promise<void> => this.#pool.end();
}

/** A setting of our own. A pooler takes it away, as all options of a connection. */
const directSetting = 'deskside.direct';

/** Migrations may take long, also where the database user has time limits. */
const patient = {
  max: 1,
  options: `-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0 -c ${directSetting}=on`,
};

/**
 * Whether a pool that `isPatient` reaches the server itself. A pooler may give each statement another connection. False where
 * the address has options, which replace ours.
 */
export async function isDirect<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{
    value: string | null;
  }>`select current_setting(${directSetting}, true) as value`.execute(db);
  return rows[0]!.value === 'on';
}

/**
 * For work between instances. It never waits for statements of customers, and soon notices when the server is
 * unavailable.
 */
export const amongInstances = {
  max: 3,
  connectionTimeoutMillis: 1_000,
  statement_timeout: 2_000,
  query_timeout: 2_000,
};

/**
 * The address as the driver takes it. It checks the server's certificate and name in these modes too, and warns that a later
 * version will not. Without a file it trusts the authorities of this process, and takes `system` for the name of a file.
 */
export const forDriver = (url: string): string => {
  const trusting = url.replace(/([?&])sslrootcert=system(&|$)/, (_, before, after) => (after ? before : ''));
  return trusting.includes('uselibpqcompat=')
    ? trusting
    : trusting.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)\b/, 'verify-full');
};

/** Opens a pool. `isPatient`: for migrations, without time limits and with one connection. `more`: overrides. */
export function openPool(url: string, { isPatient = false, ...more }: PoolOptions = {}): pg.Pool {
  const limits = {
    max: maxConnections,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    query_timeout: answerMs,
  };
  const pool = new pg.Pool({
    Client: StoreClient,
    connectionString: forDriver(url),
    application_name: 'deskside',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    types,
    ...(isPatient ? patient : limits),
    ...more,
  });
  // Without a listener, a broken connection would end the process. Its statement fails, and the next one gets a new
  // connection.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/**
 * Its statements throw `UnreachableError` where the server does not answer.
 * @param options.isPooled a pooler may run each statement on another connection, which does not know the names
 * @param options.onNoConnection a statement got no connection, which Kysely does not log
 */
export const postgresDialect = (
  pool: Connections,
  { isPooled = false, onNoConnection = (_error: unknown): void => {} } = {},
): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new StoreDriver(pool, !isPooled, onNoConnection),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** The schema that has the tables, or gets them. Undefined where the role may use none. */
export async function schemaOf<Tables>(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`
    select coalesce(
      (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('kysely_migration')),
      current_schema()
    ) as name`.execute(db);
  return rows[0]!.name ?? undefined;
}

/** The names of the migrations that were run on this database. */
export async function migrationsOf<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{
    found: string | null;
  }>`select to_regclass('kysely_migration') as found`.execute(db);
  if (!rows[0]?.found) return [];
  return (await sql<{ name: string }>`select name from kysely_migration`.execute(db)).rows.map(
    ({ name }) => name,
  );
}
