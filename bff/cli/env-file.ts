import { settings } from '../config.ts';

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
