import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { LogCode } from '../log/codes.ts';

/*
 * How settings are described and read. Each setting is an environment variable, described once, where its type is. From
 * these descriptions come the file that `init` writes, `.env.example` and the lists of `docs/settings.md`.
 */

/** How a setting is shown to people. */
export interface Description {
  /** What it does, in one or two sentences. */
  about: string;
  /** What holds without it, where its type has no default. */
  fallback?: string;
  /** A value for the file that `init` writes. Unless given, it is the fallback. */
  example?: string;
  /** How it appears in a report for strangers: `private` is not shown, `host` is shortened. */
  kind?: 'plain' | 'private' | 'host';
  /**
   * For a site of `SITES_FILE`: `own` is never taken from the environment, and `process` is the same for all sites.
   * Without it, a site has the value of the environment unless it sets its own.
   */
  inSites?: 'own' | 'process';
}

/** Describes a setting. */
export const setting = <Type extends z.ZodType>(type: Type, description: Description): Type =>
  type.meta({ ...description });

type Shape = Readonly<Record<string, z.ZodType>>;

/** The values of settings by name, as parsed. One whose value is invalid is missing. */
export type Values = Readonly<Record<string, unknown>>;

/** A condition between settings. It is checked even if one of them is invalid, so that all errors are reported at once. */
export interface Rule {
  /** The setting that the error names. */
  name: string;
  error: string;
  holds: (values: Values) => boolean;
}

/** Settings with a common heading. */
export interface SettingGroup<S extends Shape = Shape> {
  heading: string;
  shape: S;
  rules?: readonly Rule[];
  /** Codes of the log for what is valid and risky. */
  warnings?: (values: Values) => LogCode[];
}

export type ValuesOf<S extends Shape> = z.infer<z.ZodObject<S>>;

/** The parsed values of one group, of all that `parseSettings` returned. */
export const valuesOf = <S extends Shape>(_group: SettingGroup<S>, values: Values) => values as ValuesOf<S>;

/** As it would be written in the environment. */
function defaultOf(type: z.ZodType): unknown {
  if (type instanceof z.ZodPipe) return defaultOf(type.in as z.ZodType);
  return type instanceof z.ZodDefault ? type.def.defaultValue : '';
}

/** Every setting with its description, in the order of the groups. */
export const describeSettings = (groups: readonly SettingGroup[]) =>
  groups.flatMap(({ heading, shape }) =>
    Object.entries(shape).map(([name, type]) => {
      const {
        about,
        fallback = String(defaultOf(type)),
        example = fallback,
        kind = 'plain',
        inSites,
      } = type.meta() as unknown as Description;
      return { name, heading, about, fallback, example, kind, inSites };
    }),
  );

/** All errors of the environment, one `NAME: reason` a line; never a value, since values can be secrets. */
export class ConfigError extends Error {
  override name = 'ConfigError' as const;
}

/**
 * Reads the settings of these groups. An empty variable counts as not set. Each setting can also come from a file that
 * `NAME_FILE` names.
 * @throws {ConfigError} naming every error
 */
export function parseSettings(
  env: Record<string, string | undefined>,
  groups: readonly SettingGroup[],
): Values {
  const shape: Record<string, z.ZodType> = Object.assign({}, ...groups.map((group) => group.shape));
  const schema = groups
    .flatMap(({ rules = [] }) => rules)
    .reduce(
      (checked, { name, error, holds }) => checked.refine(holds, { path: [name], error, when: () => true }),
      z.object(shape),
    );
  const { values, errors: fileErrors } = readSettings(Object.keys(shape), env);
  const parsed = schema.safeParse(values, {
    error: (issue) => (issue.input === undefined ? 'is required' : undefined),
  });
  if (parsed.success && fileErrors.size === 0) return parsed.data;
  const issues = (parsed.error?.issues ?? [])
    .map(({ path, message }) => [String(path[0]), message] as const)
    .filter(([name]) => !fileErrors.has(`${name}_FILE`));
  const errors = [...fileErrors, ...issues].map(([name, message]) => `${name}: ${message}`);
  throw new ConfigError(`the configuration has errors:\n  ${[...new Set(errors)].join('\n  ')}`);
}

type Environment = Record<string, string | undefined>;

/** A value as its writer meant it: `docker run --env-file` hands on the quotes around it. */
const withoutQuotes = (text = '') => text.trim().replace(/^(["'`])((?:(?!\1).)*)\1$/s, '$2');

/**
 * The values of settings, from `NAME` or from the file that `NAME_FILE` names, without surrounding space and quotes. An
 * empty variable counts as not set. `errors`: by name, for files that cannot be read and settings that are given twice;
 * never a value.
 */
export function readSettings(names: readonly string[], env: Environment) {
  const values: Environment = {};
  const errors = new Map<string, string>();
  for (const name of names) {
    values[name] = withoutQuotes(env[name]) || undefined;
    const variable = `${name}_FILE`;
    const file = withoutQuotes(env[variable]);
    // This variable is a setting of its own, such as the file of the key, which is read again when it changes.
    if (!file || names.includes(variable)) continue;
    if (values[name]) errors.set(name, `set either ${name} or ${variable}`);
    try {
      const content = withoutQuotes(readFileSync(file, 'utf8'));
      if (content === '') errors.set(variable, 'the file is empty');
      values[name] ??= content || undefined;
    } catch (error) {
      errors.set(variable, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { values, errors };
}
