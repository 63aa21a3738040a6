import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { startPostgres } from '../../scripts/postgres.ts';

/** A PostgreSQL server for the stores of all BFFs; without it, they are SQLite. */
const serverVariable = 'JOURNEYS_DATABASE_URL';
const serverUrl = () => process.env[serverVariable];

async function query(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** Once for a run. With `STORE=postgres` it starts the server, and returns what ends it. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes it by this name
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['STORE'] !== 'postgres') return undefined;
  const server = await startPostgres();
  process.env[serverVariable] = server.url;
  return server.stop;
}

/** The settings of a BFF with an empty store of its own, in this folder or on the server. */
export async function newStore(dir: string): Promise<Record<string, string>> {
  const server = serverUrl();
  if (server === undefined) return { DATA_DIR: dir };
  const name = `journey_${randomUUID().replaceAll('-', '')}`;
  await query(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href, SECRET_KEY: randomUUID() + randomUUID() };
}

/** Runs SQL statements on that store. No BFF may run on it meanwhile. */
export async function runOnStore(store: Record<string, string>, statements: string): Promise<void> {
  if (store['DATABASE_URL']) return query(store['DATABASE_URL'], statements);
  const database = new Database(join(store['DATA_DIR']!, 'deskside.db'));
  database.exec(statements);
  database.close();
}
