import { installCommand, installOnDebian, isDebianRoot, isMissing, type Need } from './packages.ts';
import { findPostgres } from '../postgres.ts';

const postgres: Need = {
  name: 'PostgreSQL',
  isThere: () => findPostgres() !== undefined,
  packages: ['postgresql'],
};

if (isMissing(postgres) && isDebianRoot) await installOnDebian([postgres]);
if (isMissing(postgres)) {
  console.error(`No PostgreSQL: install it (Debian: ${installCommand([postgres])}).`);
  process.exit(1);
}
