import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type StatementMetrics, openStore, type Store } from '../../core/store/open.ts';
import { borrowDatabase } from './borrowed-databases.ts';
import { schema } from '../../extras/index.ts';

/** A PostgreSQL server for tests; without it their stores are SQLite. */
const serverUrl = process.env['TEST_DATABASE_URL'];
export const isOnPostgres = serverUrl !== undefined;
/** A database with all migrations. Copying it is faster than running them. */
export const templateName = 'deskside_template';

/** By the folder that a test names, so that two stores in one folder share a database. */
const databases = new Map<string, Promise<string>>();

/** `template0`: without tables. */
export async function createDatabase(template = templateName): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl!);
  url.pathname = `/${name}`;
  return url.href;
}

/** The database of a folder, for tests that run on PostgreSQL only. */
export async function databaseOf(dataDir: string): Promise<string> {
  const database = databases.get(dataDir) ?? createDatabase();
  databases.set(dataDir, database);
  // A database that could not be created is created again at the next request.
  database.catch(() => databases.delete(dataDir));
  return database;
}

/** Lets the stores of a folder connect through another URL. */
export const useDatabase = (dataDir: string, url: string): void =>
  void databases.set(dataDir, Promise.resolve(url));

let underWay = 0;

function counted<Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) {
  return function count(this: unknown, ...args: Args): Promise<Result> {
    const result = call.apply(this, args);
    // The pool itself calls these with a callback.
    if (!(result instanceof Promise)) return result;
    underWay += 1;
    return result.finally(() => (underWay -= 1));
  };
}

if (serverUrl) {
  const { Client, Pool } = pg;
  Client.prototype.query = counted(Client.prototype.query as never) as never;
  Pool.prototype.connect = counted(Pool.prototype.connect as never) as never;
}

/** Whether a statement waits for the server, or for its database to be created. */
export const isStoreBusy = (): boolean => underWay > 0;

/** A store for one test, on the database system of the test run: in memory, or that of `dataDir`. */
export async function openTestStore(dataDir?: string, metrics?: StatementMetrics): Promise<Store> {
  if (!serverUrl) return openStore(dataDir === undefined ? 'memory' : { dataDir }, schema, metrics);
  if (dataDir === undefined) return borrowDatabase(counted(createDatabase), metrics);
  return openStore({ databaseUrl: await databaseOf(dataDir) }, schema, metrics);
}
