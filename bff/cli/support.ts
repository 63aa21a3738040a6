import { release } from 'node:os';
import { settings } from './settings.ts';
import { version } from '../version.ts';

/**
 * Information for a stranger who helps: versions, platform, and which settings are set. `redact`: see `redact.ts`.
 */
export function supportHeader(
  env: Record<string, string | undefined>,
  redact: (text: string) => string,
): string[] {
  const set = settings.filter(({ name }) => env[name] || env[`${name}_FILE`]);
  const { modules, uv, openssl } = process.versions;
  return [
    `Deskside ${version}`,
    `Node ${process.versions.node} (modules ${modules}, uv ${uv}, openssl ${openssl})`,
    `${process.platform} ${process.arch} ${release()}`,
    'Settings that are set:',
    ...set.map(({ name, kind }) => {
      const value = env[name];
      return `  ${name}${kind === 'private' || !value ? '' : `=${redact(value)}`}`;
    }),
    '',
  ];
}
