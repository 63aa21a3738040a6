import { styleText } from 'node:util';

/** The exit codes of all commands. */
export const exitCodes = {
  ok: 0,
  /** The command failed, or found a failure. */
  failure: 1,
  /** Wrong use of the command, or errors in the configuration. */
  usage: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Called with the exit code of a command. Undefined: the server runs. */
export type OnExit = (code: ExitCode | undefined) => void;

type Style = Extract<Parameters<typeof styleText>[0], string>;

/** Where a command writes its output. */
export interface Output {
  /** One line of the result, to stdout. */
  line(text?: string): void;
  /** The whole result as JSON, to stdout; nothing else is written there. */
  json(value: unknown): void;
  /** One line for the operator that is not part of the result, to stderr. */
  note(text: string): void;
  /** Adds colours when the output is a terminal and they are wanted. */
  style(style: Style, text: string): string;
}

interface Streams {
  stdout: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>;
  stderr: Pick<NodeJS.WriteStream, 'write'>;
}

/** Output without colours when stdout is no terminal, or `NO_COLOR` is set (https://no-color.org). */
export function createOutput({ stdout, stderr }: Streams, env: Record<string, string | undefined>): Output {
  const hasColours = stdout.isTTY && !env['NO_COLOR'];
  return {
    line: (text = '') => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    style: (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text),
  };
}
