import { type Config, coreSettings, toConfig } from './core/config.ts';
import type { LogCode } from './core/log/codes.ts';
import { readSettings, describeSettings, parseSettings } from './core/settings/settings.ts';
import { isPrivate } from './core/settings/values.ts';
import { nearest } from '../shared/text/nearest.ts';
import { extras } from './extras/index.ts';

/** Settings as text. */
export type Environment = Record<string, string | undefined>;

const groups = [...coreSettings, ...extras.flatMap(({ settings }) => settings ?? [])];

/** Every setting with its description, in the order of the template. */
export const settings = describeSettings(groups);

/** All settings as text, also those that come from files. */
export const readTexts = (env: Environment): Environment =>
  readSettings(
    settings.map(({ name }) => name),
    env,
  ).values;

/**
 * Reads the whole configuration.
 * @throws {ConfigError} naming every error
 */
export const parseConfig = (env: Environment): Config => toConfig(parseSettings(env, groups));

/** Variables that are no settings, but look like one that is not set, with the setting that was probably meant. */
export function misspelt(env: Environment): { name: string; meant: string }[] {
  const known = settings.flatMap(({ name }) => [name, `${name}_FILE`]);
  const unset = known.filter((name) => !env[name]);
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, unset, mistyped);
      return meant && meant.length >= shortestGuessed ? { name, meant } : [];
    });
}
/** Long names of other programs often begin like ours, and short ones such as `PATH` are like many. */
const mistyped = 1 / 8;
const shortestGuessed = 8;

/** Warnings about a configuration that is valid. */
export function warningsOf({
  upstream,
  publicUrl,
  trustedProxies,
  allowedOrigins,
  values,
}: Config): LogCode[] {
  const warnings: LogCode[] = [];
  if (allowedOrigins.some((origin) => origin.includes('*') || !origin.startsWith('http')))
    warnings.push('origins_wide');
  if (!isPrivate(upstream.url)) warnings.push('api_key_unencrypted');
  // The BFF itself speaks plain http: a proxy in front of it terminates TLS.
  if (publicUrl.startsWith('https:') && trustedProxies === 0) warnings.push('proxies_not_set');
  return [...warnings, ...groups.flatMap((group) => group.warnings?.(values) ?? [])];
}
