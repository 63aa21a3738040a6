import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { nearest } from '../shared/text/nearest.ts';
import { type Environment, parseConfig, readTexts, settings } from './config.ts';
import type { Config } from './core/config.ts';
import { ConfigError } from './core/settings/settings.ts';

/*
 * Several sites in one process. A site is a support of its own, with its own address, store and secret key, so a customer
 * of one is nobody at another. The environment describes the main site. `SITES_FILE` names further ones, each with some
 * settings instead of those of the main site. This module knows settings only; `serve.ts` runs the sites.
 */

/** A site of `SITES_FILE`, as an environment that describes it alone. */
interface SiteEnvironment {
  /** Such as `garden`. */
  name: string;
  env: Environment;
}

/** A site of `SITES_FILE`, with its configuration. */
export interface FurtherSite {
  name: string;
  config: Config;
}

/** The path of a site of `SITES_FILE`, below the address of the main site. */
export const sitePath = (name: string) => `/sites/${name}`;

const text = z.union([
  z.string(),
  z.array(z.string()).transform((items) => items.join()),
  // Sentences by language, which the environment has as JSON.
  z.record(z.string(), z.string()).transform((sentences) => JSON.stringify(sentences)),
]);
const contentOfFile = z.record(
  z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must have small letters, digits and hyphens only, 32 at most'),
  z.record(z.string(), text),
);

const reasonOf = (issue: z.core.$ZodIssue) =>
  [...issue.path, issue.code === 'invalid_key' ? issue.issues[0]!.message : issue.message].join(': ');

/** @throws {ConfigError} */
function readFile(file: string): z.infer<typeof contentOfFile> {
  try {
    // Every value is a text, as in the environment: a secret 0123 keeps its zero, and `on` stays a word.
    return contentOfFile.parse(parse(readFileSync(file, 'utf8'), { schema: 'failsafe', logLevel: 'error' }));
  } catch (error) {
    // SECURITY: further lines of a message of the parser show the text, which may have secrets.
    const says =
      error instanceof z.ZodError
        ? error.issues.map(reasonOf).join('\n  SITES_FILE: ')
        : (error as Error).message.split(/:?\n/, 1)[0];
    throw new ConfigError(`the configuration has errors:\n  SITES_FILE: ${says}`);
  }
}

/** The setting that a variable gives, by itself or by a file. */
const settingOf = (variable: string) => variable.replace(/_FILE$/, '');
const bySetting = new Map(
  settings.flatMap((each) => [each.name, `${each.name}_FILE`].map((name) => [name, each] as const)),
);

/** What is wrong with the names that `SITES_FILE` has for a site. */
function faultsOf(inFile: Environment, ofMain: Environment): string[] {
  const faults = Object.keys(inFile).flatMap((name) => {
    const known = bySetting.get(name);
    const meant = known ? null : nearest(name, [...bySetting.keys()], 1 / 4);
    if (!known) return `${name} is no setting${meant ? `: ${meant} was probably meant` : ''}`;
    return known.inSites === 'process' ? `${name} is the same for all sites: set it in the environment` : [];
  });
  const lacksDatabase = ofMain['DATABASE_URL'] && !inFile['DATABASE_URL'] && !inFile['DATABASE_URL_FILE'];
  return lacksDatabase ? [...faults, 'DATABASE_URL is required, since the main site has one'] : faults;
}

/**
 * The settings of one site as an environment.
 * @param inFile what `SITES_FILE` has for it
 * @param ofMain those of the main site, with its files read
 */
function envOf(name: string, inFile: Environment, ofMain: Environment, mainConfig: Config): Environment {
  const given = new Set(Object.keys(inFile).map(settingOf));
  // SECURITY: the key of one ticket service must not be sent to another.
  if (given.has('SUPPORT_API_URL')) given.add('SUPPORT_API_KEY');
  const inherited = settings.filter((each) => each.inSites !== 'own' && !given.has(settingOf(each.name)));
  const secretKey = ofMain['SECRET_KEY'];
  return {
    ...Object.fromEntries(inherited.map((each) => [each.name, ofMain[each.name]])),
    DATA_DIR: join(mainConfig.dataDir, 'sites', name),
    ...(!given.has('PUBLIC_URL') && { PUBLIC_URL: mainConfig.publicUrl + sitePath(name) }),
    // SECURITY: nothing that is sealed or signed for one site may hold at another.
    ...(secretKey &&
      !given.has('SECRET_KEY') && {
        SECRET_KEY: createHmac('sha256', secretKey).update(sitePath(name)).digest('base64url'),
      }),
    ...inFile,
    SITES_FILE: undefined,
  };
}

/**
 * The sites of `SITES_FILE`; empty without it.
 * @throws {ConfigError} when the file cannot be read, or sets something that a site cannot have
 */
export function readSites(env: Environment): SiteEnvironment[] {
  const mainConfig = parseConfig(env);
  if (!mainConfig.sitesFile) return [];
  const ofMain = readTexts(env);
  const all = Object.entries(readFile(mainConfig.sitesFile));
  const faults = all.flatMap(([name, inFile]) =>
    faultsOf(inFile, ofMain).map((fault) => `SITES_FILE: ${name}: ${fault}`),
  );
  if (faults.length > 0) throw new ConfigError(`the configuration has errors:\n  ${faults.join('\n  ')}`);
  return all.map(([name, inFile]) => ({ name, env: envOf(name, inFile, ofMain, mainConfig) }));
}

/**
 * The configurations of the sites of `SITES_FILE`.
 * @throws {ConfigError} naming the site and its errors
 */
export function parseSites(env: Environment): FurtherSite[] {
  const taken = new Set(Object.values(uniqueOf(parseConfig(env))));
  return readSites(env).map((site) => {
    const config = parseSite(site);
    for (const [setting, value] of Object.entries(uniqueOf(config))) {
      if (taken.has(value))
        throw new ConfigError(`the site ${site.name} needs a ${setting} that no other site has`);
      taken.add(value);
    }
    return { name: site.name, config };
  });
}

/** What no two sites may have in common. */
const uniqueOf = ({ publicUrl, place }: Config): Record<string, string> => ({
  PUBLIC_URL: new URL(publicUrl).href,
  ...('databaseUrl' in place && { DATABASE_URL: place.databaseUrl }),
});

function parseSite({ name, env }: SiteEnvironment): Config {
  try {
    return parseConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(
      error.message.replace('the configuration', `the configuration of the site ${name}`),
    );
  }
}

/**
 * The environment of one site, for a command about it.
 * @throws {ConfigError} when there is no such site
 */
export function siteEnv(env: Environment, name: string): Environment {
  const sites = readSites(env);
  const site = sites.find((each) => each.name === name);
  if (!site) {
    const names = sites.map((each) => each.name).join(', ') || 'no site';
    throw new ConfigError(`SITES_FILE has no site ${name}: it has ${names}`);
  }
  return site.env;
}
