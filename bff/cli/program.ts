import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import {
  type AddCommand,
  type Cli,
  createOutput,
  type ExitCode,
  exitCodes,
  explain,
} from '../core/operator/command.ts';
import { ConfigError } from '../core/settings/settings.ts';
import { extras } from '../extras/index.ts';
import { siteEnv } from '../sites.ts';
import { version } from '../build.ts';
import { readEnvText } from './env-file.ts';
import { backupCommand } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { initCommand } from './commands/init.ts';
import { migrateCommand } from './commands/migrate.ts';
import { operationsCommand } from './commands/operations.ts';
import { exportCommand, forgetCommand } from './commands/personal-data.ts';
import { restoreCommand } from './commands/restore.ts';
import { serveCommand } from './commands/serve.ts';
import { snippetCommand } from './commands/snippet.ts';
import { statusCommand } from './commands/status.ts';
import { withCore } from './open-store.ts';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Help lists the commands in this order, and then those of the extras. */
const commands: readonly AddCommand[] = [
  serveCommand,
  checkCommand,
  initCommand,
  statusCommand,
  operationsCommand,
  backupCommand,
  restoreCommand,
  snippetCommand,
  migrateCommand,
  exportCommand,
  forgetCommand,
];

/** The program with all commands. */
function createProgram(cli: Cli, onExit: Parameters<AddCommand>[2]): Command {
  const program = new Command('deskside')
    .description('Customer support inside any website: the server, and the commands of its operator.')
    .version(version, '-V, --version', 'print the version')
    .option('--env <file>', 'read settings from this file too; those of the environment come first')
    .option('--for <site>', 'of a site of SITES_FILE, instead of the main one')
    .showHelpAfterError('(deskside --help lists the commands)')
    .configureOutput({
      writeOut: (text) => cli.out.line(text.trimEnd()),
      writeErr: (text) => cli.out.note(text.trimEnd()),
    })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride();
  program.hook('preAction', () => {
    const { env, for: site } = program.opts<{ env?: string; for?: string }>();
    if (env) cli.env = withFile(cli, env);
    if (!site) return;
    cli.env = siteEnv(cli.env, site);
    cli.site = site;
  });

  for (const addCommand of commands) addCommand(program, cli, onExit);
  for (const extra of extras) extra.addCommand?.(program, cli, onExit, (use) => withCore(cli, use));
  return program;
}

/**
 * The settings of the environment, and of the file what the environment does not have. Tells of what
 * is odd in the file.
 * @throws {ConfigError} when the file cannot be read, or sets what Node.js has read already
 */
function withFile({ env, out }: Cli, file: string): Cli['env'] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
  const { values, notes } = readEnvText(text, file);
  for (const note of notes) out.note(`deskside: ${note}`);
  const both = { ...values, ...env };
  for (const name of ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'])
    if (both[name] !== env[name])
      throw new ConfigError(
        `${name} has no effect in ${file}: Node.js reads it when the process starts, so set it in the environment`,
      );
  return both;
}

/**
 * Runs one command. Never rejects: errors are explained to the operator.
 * @returns the exit code; undefined while the server runs
 */
export async function runCommandLine(
  args: readonly string[],
  cli: Cli = {
    env: process.env,
    out: createOutput(process, process.env),
    question: process.stdin.isTTY ? questionAt(process.stdin, process.stderr) : undefined,
  },
): Promise<ExitCode | undefined> {
  let exitCode: ExitCode | undefined;
  const program = createProgram(cli, (code) => void (exitCode = code));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    cli.out.note(`deskside: ${explain(error)}`);
    // The answer of PostgreSQL names a table or a right, not what to do.
    if (error instanceof Error && 'severity' in error)
      cli.out.note('run "deskside check": it says what to do');
    return error instanceof ConfigError ? exitCodes.usage : exitCodes.failure;
  }
}

/** Makes a function that asks one question at a terminal. */
export const questionAt =
  (input: NodeJS.ReadStream, output: NodeJS.WriteStream) =>
  async (text: string, isSecret: boolean): Promise<string> => {
    if (isSecret) output.write(text);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input, output: isSecret ? silent : output, terminal: true });
    try {
      return (await lines.question(isSecret ? '' : text)).trim();
    } finally {
      lines.close();
      if (isSecret) output.write('\n');
    }
  };
