import { readFileSync } from 'node:fs';

type Environment = Record<string, string | undefined>;

/**
 * The values of settings, from `NAME` or, trimmed, from the file that `NAME_FILE` names. An empty variable counts as
 * not set. `errors`: by name, for files that cannot be read and settings that are given twice; never a value.
 */
export function readSettings(names: readonly string[], env: Environment) {
  const values: Environment = {};
  const errors = new Map<string, string>();
  for (const name of names) {
    values[name] = env[name] || undefined;
    const variable = `${name}_FILE`;
    const file = env[variable];
    // This variable is a setting of its own, such as the file of the key, which is read again when it changes.
    if (!file || names.includes(variable)) continue;
    if (values[name]) errors.set(name, `set either ${name} or ${variable}`);
    try {
      const content = readFileSync(file, 'utf8').trim();
      if (content === '') errors.set(variable, 'the file is empty');
      values[name] ??= content || undefined;
    } catch (error) {
      errors.set(variable, `cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { values, errors };
}
