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

/** A line with a setting, or several lines if quotes hold them. */
const assignment = /^[^\S\n]*(?:export\s+)?([\w.-]+)[^\S\n]*=[^\S\n]*("[^"]*"|'[^']*'|`[^`]*`)?.*$/gm;
/** Node takes it for a comment, and systemd does not. */
const cutValue = /=(?:[^\S\n]*[^\s"'`#][^#\n]*)?(?<=\S)#/y;
const startsWithQuote = /=[^\S\n]*["'`]/y;
const nextSetting = /\n[A-Z][A-Z_]+=/;

/** Whether the pattern matches from the first `=` on. */
function matchesValue(pattern: RegExp, line: string): boolean {
  pattern.lastIndex = line.indexOf('=');
  return pattern.test(line);
}

/**
 * The settings in the text of a file, and notes on lines that mean something else than they seem to. Node's parser refuses
 * nothing: a line without `=` takes away the next setting, which could be the secret key.
 * @throws {ConfigError} naming the line or the setting, never a value
 */
export function readEnvText(text: string, file: string) {
  // Editors on Windows put this mark before the first name.
  const content = text.replace(/^\uFEFF/, '');
  const odd = content
    .replace(assignment, (lines) => lines.replace(/[^\n]/g, ''))
    .split('\n')
    .findIndex((line) => !/^\s*(#|$)/.test(line));
  if (odd >= 0) throw new ConfigError(`line ${odd + 1} of ${file} is not NAME=value`);
  const found = [...content.matchAll(assignment)];
  const unclosed = found.find(([line, , quoted]) =>
    quoted === undefined ? matchesValue(startsWithQuote, line) : nextSetting.test(quoted),
  );
  if (unclosed) throw new ConfigError(`${unclosed[1]} in ${file} has a quote that is not closed`);

  const names = found.map(([, name]) => name!);
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) < at));
  const cut = found.filter(([line]) => matchesValue(cutValue, line));
  const notes = [
    ...[...repeated].map((name) => `${name} is set more than once in ${file}: its last line counts`),
    ...cut.map(
      ([, name]) => `${name} in ${file} ends before its #: put the value into quotes, if # belongs to it`,
    ),
  ];
  // Not the comments: one that is indented takes away the next setting, too.
  const values: Record<string, string | undefined> = parseEnv(
    found.map(([line]) => line.trimStart()).join('\n'),
  );
  return { values, notes };
}
