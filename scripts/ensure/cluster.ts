import { existsSync } from 'node:fs';
import { installCommand, installOnDebian, isDebianRoot, isMissing, type Need } from './packages.ts';
import { findPostgres } from '../postgres.ts';

const needs: Need[] = [
  { name: 'PostgreSQL', isThere: () => findPostgres() !== undefined, packages: ['postgresql'] },
  { name: 'PgBouncer', isThere: () => existsSync('/usr/sbin/pgbouncer'), packages: ['pgbouncer'] },
  { name: 'nginx', isThere: () => existsSync('/usr/sbin/nginx'), packages: ['nginx-light'] },
];

const before = needs.filter(isMissing);
if (before.length > 0 && isDebianRoot) await installOnDebian(before);
const missing = needs.filter(isMissing);
if (missing.length > 0) {
  const names = missing.map(({ name }) => name).join(', ');
  console.error(`Not on this machine: ${names} (Debian: ${installCommand(missing)}).`);
  process.exit(1);
}
