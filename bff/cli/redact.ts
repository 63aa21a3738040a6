import { homedir, release } from 'node:os';
import { resolve } from 'node:path';
import { settings } from '../config.ts';
import { version } from '../build.ts';

const betweenWords = /([\s<>"'/:]+)/;
const withoutAddresses = (text: string) =>
  text
    .split(betweenWords)
    .map((word) => (word.includes('@') ? '<address>' : word))
    .join('');

/** Shortens `support.example.com` to `s….com`. Addresses of this machine stay as they are. */
function shortHost(host: string): string {
  if (/^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(host)) return host;
  const [name = '', ...labels] = host.split('.');
  return labels.length === 0 || /^[\d.]+$|:/.test(host) ? `${host[0]}…` : `${name[0]}….${labels.at(-1)}`;
}

const hostsOf = (value: string): string[] =>
  value.split(',').flatMap((part) => {
    const text = part.trim();
    return URL.canParse(text) ? new URL(text).hostname : /^[\w.-]+\.[a-z]+$/i.test(text) ? text : [];
  });

/** The private values of these settings, each with its replacement, the longest first. */
function replacementsOf(env: Record<string, string | undefined>): [string, string][] {
  const found = settings.flatMap(({ name, kind }): [string, string][] => {
    const value = env[name];
    if (!value) return [];
    const hosts = hostsOf(value).map((host): [string, string] => [host, shortHost(host)]);
    const parts = value.split(/[\s,]+/).map((part): [string, string] => [part, `<${name}>`]);
    return kind === 'private' ? [[value, `<${name}>`], ...parts, ...hosts] : kind === 'host' ? hosts : [];
  });
  const folders: [string, string][] = [
    [resolve(env['DATA_DIR'] || '.data/bff'), 'DATA_DIR'],
    [homedir(), '~'],
  ];
  return [...found, ...folders]
    .filter(([text]) => text.length > 3)
    .toSorted(([a], [b]) => b.length - a.length);
}

/** Creates a function that removes secrets and mail addresses from a text, and shortens the hosts of the settings. */
export function createRedaction(env: Record<string, string | undefined>): (text: string) => string {
  const replacements = replacementsOf(env);
  return (text) =>
    withoutAddresses(replacements.reduce((rest, [from, to]) => rest.replaceAll(from, to), text));
}

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
