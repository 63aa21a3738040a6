import { type Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { codeOf, UnreachableError } from '../errors.ts';

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

/** Wraps a connection of the pool: after a failure it is closed and not used again. */
function closingWhenBroken(client: pg.PoolClient): PostgresPoolClient {
  let isBroken = false;
  const query = (text: string, values: unknown[]) =>
    client.query(text, values).catch((error: unknown) => {
      if (isFromServer(error)) throw error;
      isBroken = true;
      throw new UnreachableError(error);
    });
  return {
    // The driver's other overload is for cursors, which are not used.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => client.release(isBroken),
  };
}

/** Migrations may take long, also where the database user has time limits. */
const patient = {
  max: 1,
  options: '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0',
};

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

/** The driver checks the server's certificate and name in these modes too, and warns that a later version will not. */
const withCheckedName = (url: string) =>
  url.includes('uselibpqcompat=')
    ? url
    : url.replace(/(?<=[?&]sslmode=)(prefer|require|verify-ca)\b/, 'verify-full');

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
    connectionString: withCheckedName(url),
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

/** @throws UnreachableError where the server does not answer */
export const postgresDialect = (pool: { connect(): Promise<pg.PoolClient>; end(): Promise<void> }) =>
  new PostgresDialect({
    pool: {
      connect: () =>
        pool.connect().then(closingWhenBroken, (error: unknown) => {
          throw isFromServer(error) ? error : new UnreachableError(error);
        }),
      end: () => pool.end(),
    },
  });

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
