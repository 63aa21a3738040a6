import { existsSync } from 'node:fs';
import { findPostgres } from '../postgres.ts';
import { ensure } from './packages.ts';

await ensure([
  { name: 'PostgreSQL', isThere: () => findPostgres() !== undefined, packages: ['postgresql'] },
  { name: 'PgBouncer', isThere: () => existsSync('/usr/sbin/pgbouncer'), packages: ['pgbouncer'] },
  { name: 'nginx', isThere: () => existsSync('/usr/sbin/nginx'), packages: ['nginx-light'] },
]);
