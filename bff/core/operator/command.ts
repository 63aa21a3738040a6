import { styleText } from 'node:util';
import type { Command } from 'commander';
import { AppError } from '../errors.ts';
import { ConfigError } from '../settings/settings.ts';

/* What the commands of the operator have in common: their surroundings, output and exit codes. */

/** The exit codes of all commands. */
export const exitCodes = {
  ok: 0,
  /** The command failed, or found a failure. */
  failure: 1,
  /** Wrong use of the command, or errors in the configuration. */
  usage: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

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

/** What every command is given. */
export interface Cli {
  /** The settings, as text. */
  env: Record<string, string | undefined>;
  /** The site of `SITES_FILE` that the settings are of. Undefined for the main one. */
  site?: string;
  out: Output;
  /** Asks the person at the terminal. Undefined when there is no terminal. A secret answer is not shown. */
  question?: ((text: string, isSecret: boolean) => Promise<string>) | undefined;
}

/**
 * Adds a command to the program: its name, options and help. When it is called, it passes its exit code to `onExit`;
 * undefined while the server runs.
 */
export type AddCommand = (program: Command, cli: Cli, onExit: (code: ExitCode | undefined) => void) => void;

/**
 * Explains an error to the operator in one plain line, such as errors in the configuration, a port in use, or a store
 * that cannot be opened.
 */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof AppError && error.code === 'upstream_unavailable')
    return 'the ticket service cannot be read at the moment: try again later';
  if (!(error instanceof Error)) return String(error);
  const { code, port, address, syscall } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (syscall !== 'listen') return error.message;
  if (code === 'EADDRINUSE')
    return `${port! > 0 ? `port ${port}` : address} is in use: set PORT or ADMIN_PORT to a free one`;
  return code === 'EADDRNOTAVAIL'
    ? `${address} is no address of this machine: correct HOST or ADMIN_HOST`
    : `${error.message}: set HOST and PORT, ADMIN_HOST and ADMIN_PORT to what this user may listen on`;
}
