import { findPostgres } from '../postgres.ts';
import { ensure } from './packages.ts';

await ensure([{ name: 'PostgreSQL', isThere: () => findPostgres() !== undefined, packages: ['postgresql'] }]);
