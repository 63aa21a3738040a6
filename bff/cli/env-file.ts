import { parseEnv } from 'node:util';
import { settings } from '../config.ts';
import { ConfigError } from '../core/settings/settings.ts';

/** A value as Node, Docker and systemd read it, in quotes only where necessary. */
function written(value: string): string {
  if (/^[\w./:@,+=-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark));
  if (!quote) throw new Error('a value contains all kinds of quotes');
  return quote + value + quote;
}

/** Under which a setting may be given. The file of the API key is a setting of its own. */
const namesOf = (name: string): string[] =>
  settings.some((other) => other.name === `${name}_FILE`) ? [name] : [name, `${name}_FILE`];

/** A commented file of settings. Those in `values` are set, also as `NAME_FILE`; the others are shown as comments. */
export function envFile(values: Record<string, string | undefined>): string {
  const lines: string[] = [
    '# Settings of Deskside. Each can be in a file of its own instead: NAME_FILE=path.',
  ];
  let heading = '';
  for (const setting of settings) {
    if (setting.heading !== heading) lines.push('', `## ${setting.heading}`);
    heading = setting.heading;
    lines.push('', `# ${setting.about}`);
    const set = namesOf(setting.name).filter((name) => values[name] !== undefined);
    lines.push(
      ...(set.length === 0
        ? [`# ${setting.name}=${written(setting.example)}`]
        : set.map((name) => `${name}=${written(values[name]!)}`)),
    );
  }
  return `${lines.join('\n')}\n`;
}

const shown = new Set(['SUPPORT_API_URL', 'SUPPORT_API_KEY', 'ALLOWED_ORIGINS', 'PUBLIC_URL']);

/** The example in the repository. Required settings have values that do not work. */
export const exampleEnvFile = (): string =>
  envFile(
    Object.fromEntries(
      settings.filter(({ name }) => shown.has(name)).map(({ name, example }) => [name, example]),
    ),
  );

/** How a setting begins that follows one whose quote is not closed. */
const nextSetting = /^[A-Z][A-Z_]+=/;

/**
 * The settings in the text of a file, and notes on lines that mean something else than they seem to. Node's parser refuses
 * nothing: a line without `=` takes away the next setting, which could be the secret key.
 * @throws {ConfigError} naming the line or the setting, never a value
 */
export function readEnvText(text: string, file: string) {
  // Editors on Windows put this mark before the first name.
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const found = new Map<string, string>();
  const notes: string[] = [];
  for (let n = 0; n < lines.length; n += 1) {
    let line = lines[n]!.trim();
    // Node's parser lets an indented comment take away the next setting, too.
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const name = line
      .slice(0, Math.max(0, equals))
      .replace(/^export\s/, '')
      .trim();
    if (!/^[\w.-]+$/.test(name)) throw new ConfigError(`line ${n + 1} of ${file} is not NAME=value`);
    const value = line.slice(equals + 1);
    const quote = /^["'`]/.exec(value.trim())?.[0];
    const comment = value.indexOf('#');
    if (quote) {
      const isOpen = () => line.indexOf(quote, line.indexOf(quote) + 1) < 0;
      while (isOpen()) {
        n += 1;
        if (n === lines.length || nextSetting.test(lines[n]!))
          throw new ConfigError(`${name} in ${file} has a quote that is not closed`);
        line += `\n${lines[n]!}`;
      }
    } else if (comment === 0 || (comment > 0 && value[comment - 1]!.trim() !== ''))
      // systemd does not take it for a comment.
      notes.push(`${name} in ${file} ends before its #: put the value into quotes, if # belongs to it`);
    if (found.has(name)) notes.push(`${name} is set more than once in ${file}: its last line counts`);
    found.set(name, line);
  }
  const values: Record<string, string | undefined> = parseEnv([...found.values()].join('\n'));
  return { values, notes };
}
