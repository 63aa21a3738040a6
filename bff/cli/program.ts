import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { version } from '../version.ts';
import { addArticleCommands } from './article-commands.ts';
import type { Cli } from './command.ts';
import { addOperationCommands } from './operation-commands.ts';
import { addServerCommands, addSnippetCommand } from './server-commands.ts';
import { addBackupCommands, addStoreCommands } from './store-commands.ts';
import { explain } from './explain.ts';
import { questionAt } from './terminal/question.ts';
import { createOutput, type ExitCode, exitCodes, type OnExit } from './terminal/output.ts';

interface Program {
  program: Command;
  /** The exit code of the command that ran. Undefined while the server runs. */
  result(): ExitCode | undefined;
}

/** The program with all commands. Each command is loaded when it is called. */
function createProgram(cli: Cli): Program {
  let exitCode: ExitCode | undefined;
  const program = new Command('deskside')
    .description('Customer support inside any website: the server, and the commands of its operator.')
    .version(version, '-V, --version', 'print the version')
    .option('--env <file>', 'read settings from this file too; those of the environment come first')
    .showHelpAfterError('(deskside --help lists the commands)')
    .configureOutput({
      writeOut: (text) => cli.out.line(text.trimEnd()),
      writeErr: (text) => cli.out.note(text.trimEnd()),
    })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride();
  program.hook('preAction', () => {
    const { env } = program.opts<{ env?: string }>();
    if (env) cli.env = { ...readSettings(env), ...cli.env };
  });

  const onExit: OnExit = (code) => {
    exitCode = code;
  };
  // Help lists the commands in this order.
  addServerCommands(program, cli, onExit);
  addOperationCommands(program, cli, onExit);
  addBackupCommands(program, cli, onExit);
  addSnippetCommand(program, cli, onExit);
  addArticleCommands(program, cli, onExit);
  addStoreCommands(program, cli, onExit);
  return { program, result: () => exitCode };
}

/** @throws {ConfigError} when the file cannot be read */
function readSettings(file: string) {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
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
  const { program, result } = createProgram(cli);
  try {
    await program.parseAsync(args, { from: 'user' });
    return result();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    cli.out.note(`deskside: ${explain(error)}`);
    return error instanceof ConfigError ? exitCodes.usage : exitCodes.failure;
  }
}
