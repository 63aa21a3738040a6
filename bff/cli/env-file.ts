import { settings } from './settings.ts';

/** A value as Node, Docker and systemd read it, in quotes only where necessary. */
function written(value: string): string {
  if (/^[\w./:@,+=-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark));
  if (!quote) throw new Error('a value contains all kinds of quotes');
  return quote + value + quote;
}

/** A commented file of settings. Those in `values` are set, the others are shown as comments. */
export function envFile(values: Record<string, string | undefined>): string {
  const lines: string[] = [
    '# Settings of Deskside. Each can be in a file of its own instead: NAME_FILE=path.',
  ];
  let group = '';
  for (const setting of settings) {
    if (setting.group !== group) lines.push('', `## ${setting.group}`);
    group = setting.group;
    const value = values[setting.name];
    lines.push('', `# ${setting.about}`);
    lines.push(
      value === undefined
        ? `# ${setting.name}=${written(setting.example)}`
        : `${setting.name}=${written(value)}`,
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
