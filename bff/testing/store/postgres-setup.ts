import pg from 'pg';
import { type PostgresServer, startPostgres } from '../../../scripts/postgres.ts';
import { openStore } from '../../core/store/open.ts';
import { templateName } from './test-store.ts';
import { schema } from '../../extras/index.ts';

let server: PostgresServer;

/** Starts a PostgreSQL server for the tests of a project, which find it in `TEST_DATABASE_URL`. */
export async function setup(): Promise<void> {
  server = await startPostgres();
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${templateName}`);
  await client.end();
  const template = new URL(server.url);
  template.pathname = `/${templateName}`;
  await (await openStore({ databaseUrl: template.href }, schema)).destroy();
  process.env['TEST_DATABASE_URL'] = server.url;
}

export const teardown = () => server.stop();
