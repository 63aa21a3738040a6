import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { parseSites, readSites, siteEnv } from './sites.ts';

const folder = mkdtempSync(join(tmpdir(), 'deskside-sites-'));
let count = 0;

/** The environment of a main site whose `SITES_FILE` has this text. */
function envWith(file: string, more: Record<string, string> = {}) {
  const path = join(folder, `${(count += 1)}.yaml`);
  writeFileSync(path, file);
  return {
    SUPPORT_API_URL: 'https://tickets.example.com',
    SUPPORT_API_KEY: 'key-1',
    ALLOWED_ORIGINS: 'https://www.example.com',
    PUBLIC_URL: 'https://support.example.com',
    DATA_DIR: '/var/lib/deskside',
    SITES_FILE: path,
    ...more,
  };
}
const garden = 'garden:\n  ALLOWED_ORIGINS: https://garden.example.com\n';
const gardenOf = (env: Record<string, string>) => parseSites(env)[0]!.config;

it('without SITES_FILE there is only the main site', () => {
  const { SITES_FILE: _, ...env } = envWith('');
  expect(parseSites(env)).toEqual([]);
});

it('a site has an address, a folder and a name of its own, and the ticket service of the main one', () => {
  const [site] = parseSites(envWith(garden));
  expect(site).toMatchObject({
    name: 'garden',
    config: {
      publicUrl: 'https://support.example.com/sites/garden',
      dataDir: '/var/lib/deskside/sites/garden',
      allowedOrigins: ['https://garden.example.com'],
      upstream: { url: 'https://tickets.example.com', keys: ['key-1'] },
    },
  });
});

it('a site takes over limits, and nothing that customers see or that says who they are', () => {
  const config = gardenOf(
    envWith(garden, {
      LIMIT_TICKETS_PER_IP: '7',
      BRAND_NAME: 'Acme',
      SUPPORT_HOURS: 'Mo-Fr 09:00-17:00 UTC',
      CLIENT_ORIGINS: 'https://app.example.com',
      IDENTITY_SECRET: 'an identity secret of 32 bytes or more',
      WEBHOOK_SECRET: 'a secret of the webhook',
    }),
  );
  expect(config).toMatchObject({
    limits: { ticketsPerIp: 7 },
    brand: null,
    schedule: null,
    clientOrigins: [],
    identity: { secret: undefined, audience: 'https://support.example.com/sites/garden' },
    webhookSecrets: [],
  });
});

it('a secret key made for each site keeps what is sealed for one from holding at another', () => {
  const main = { SECRET_KEY: 'a secret of more than thirty-two characters' };
  const env = envWith(`${garden}books:\n  ALLOWED_ORIGINS: https://books.example.com\n`, main);
  const keys = parseSites(env).map(({ config }) => config.secretKey);
  expect(new Set([main.SECRET_KEY, ...keys]).size).toBe(3);
  expect(parseSites(env).map(({ config }) => config.secretKey)).toEqual(keys);
});

it('a key file of a site replaces the key of the environment', () => {
  const config = gardenOf(envWith(`${garden}  SUPPORT_API_KEY_FILE: /run/secrets/garden\n`));
  expect(config.upstream).toMatchObject({ keys: [], keyFile: '/run/secrets/garden' });
});

it('a setting of a site can come from a file, as any setting', () => {
  const file = join(folder, 'brand');
  writeFileSync(file, 'Garden\n');
  expect(gardenOf(envWith(`${garden}  BRAND_NAME_FILE: ${file}\n`)).brand).toBe('Garden');
});

it('values are texts, as in the environment, and a list is joined', () => {
  const config = gardenOf(
    envWith(
      'garden:\n  ALLOWED_ORIGINS: [https://a.example, https://b.example]\n  BRAND_COLOR: 001020\n' +
        '  BRAND_NAME: 007\n  PLAYGROUND: on\n  SUPPORT_API_KEY: 0123\n',
    ),
  );
  expect(config).toMatchObject({
    allowedOrigins: ['https://a.example', 'https://b.example'],
    brandColor: '#001020',
    brand: '007',
    hasPlayground: true,
    upstream: { keys: ['0123'] },
  });
});

it('sentences by language may be a map', () => {
  const notice = '  NOTICE:\n    en: We are late.\n    de: "Wir sind \\"spät\\" dran."\n';
  expect(gardenOf(envWith(garden + notice)).notice).toMatchObject({
    text: { en: 'We are late.', de: 'Wir sind "spät" dran.' },
  });
});

it('an empty value leaves out what the main site has', () => {
  const env = envWith(`${garden}  LIMIT_TICKETS_PER_IP:\n`, { LIMIT_TICKETS_PER_IP: '7' });
  expect(gardenOf(env).limits.ticketsPerIp).toBe(10);
});

it('a site may have an address of its own, and no two the same', () => {
  const own = `${garden}  PUBLIC_URL: https://help.garden.example\n`;
  expect(gardenOf(envWith(own)).publicUrl).toBe('https://help.garden.example');
  const twice = `${garden}  PUBLIC_URL: https://Support.example.com:443\n`;
  expect(() => parseSites(envWith(twice))).toThrow('garden needs a PUBLIC_URL that no other site has');
});

it('a site with a ticket service of its own does not send it the key of the main one', () => {
  const own = `${garden}  SUPPORT_API_URL: https://tickets.garden.example\n`;
  expect(() => parseSites(envWith(own))).toThrow('SUPPORT_API_KEY: set either');
});

it('no fault of the file shows its text, which has secrets', () => {
  const file = `${garden}  SUPPORT_API_KEY: key-2\n  SUPPORT_API_KEY: key-3\n`;
  const warned = vi.spyOn(process, 'emitWarning');
  expect(() => parseSites(envWith(file))).toThrow(/Map keys must be unique at line 4, column 3$/);
  parseSites(envWith(`${garden}  SUPPORT_API_KEY: !own key-2\n`));
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});

const database = {
  DATABASE_URL: 'postgres://u@h/main',
  SECRET_KEY: 'a secret of more than thirty-two characters',
};

it.each([
  [
    'a misspelt name',
    `${garden}  BRAND_COLOUR: fff\n`,
    {},
    'BRAND_COLOUR is no setting: BRAND_COLOR was probably',
  ],
  ['a name of nothing', `${garden}  X: y\n`, {}, 'SITES_FILE: garden: X is no setting'],
  ['a setting of the process', `${garden}  PORT: 80\n`, {}, 'PORT is the same for all sites'],
  ['a file of such a setting', `${garden}  PORT_FILE: /port\n`, {}, 'PORT_FILE is the same for all sites'],
  [
    'no database of its own',
    garden,
    database,
    'garden: DATABASE_URL is required, since the main site has one',
  ],
  [
    'the database of another site, and its secret key',
    `${garden}  DATABASE_URL: postgres://u@h/main\n  SECRET_KEY: a secret of more than thirty-two characters\n`,
    database,
    'the site garden needs a DATABASE_URL that no other site has',
  ],
  [
    'no origins',
    'garden:\n  BRAND_NAME: Garden\n',
    {},
    'the site garden has errors:\n  ALLOWED_ORIGINS: is required',
  ],
  ['a wrong value', `${garden}  POW: maybe\n`, {}, 'the site garden has errors:\n  POW'],
  ['a name with a space', 'my garden:\n  A: b\n', {}, 'my garden: must have small letters'],
  ['a name of the folder above', '..:\n  A: b\n', {}, 'must have small letters'],
  ['the same name twice', garden + garden, {}, 'SITES_FILE: Map keys must be unique'],
  ['a list', '- garden\n', {}, 'SITES_FILE: Invalid input: expected record'],
  ['a map where no sentences belong', `${garden}  BRAND_COLOR: { en: fff }\n`, {}, 'BRAND_COLOR: must be'],
  ['a map of maps', `${garden}  NOTICE: { en: { text: Late } }\n`, {}, 'SITES_FILE: garden: NOTICE: Invalid'],
  ['no settings of a site', 'garden:\n', {}, 'SITES_FILE: garden: Invalid input'],
])('with %s the sites are refused in words', (_, file, more, error) =>
  expect(() => parseSites(envWith(file, more))).toThrow(error),
);

it('a file that cannot be read is named', () => {
  expect(() => readSites({ ...envWith(''), SITES_FILE: '/nowhere' })).toThrow(/SITES_FILE: .*ENOENT/);
});

it('a command for a site that does not exist is told which there are', () => {
  expect(() => siteEnv(envWith(garden), 'gardn')).toThrow('SITES_FILE has no site gardn: it has garden');
});
