import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { version } from '../version.ts';
import type { Cli } from './command.ts';
import type { CheckOptions } from './commands/check.ts';
import { explain } from './explain.ts';
import { createOutput, type ExitCode, exitCodes } from './output.ts';

interface Program {
  program: Command;
  /** The result of the command that ran; undefined while the server runs. */
  result(): ExitCode | undefined;
}

/** Names, options and help texts of all commands. Each command is loaded when it is called. */
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

  program
    .command('serve', { isDefault: true })
    .description('run the server; what is done without a command')
    .usage('')
    // What is no command is an argument of this one.
    .argument('[unknown]')
    .action(async (unknown: string | undefined) => {
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      const { run } = await import('./commands/serve.ts');
      exitCode = await run(cli);
    });

  program
    .command('check')
    .description('try everything that the server needs, and say what to do; sends nothing')
    .option('--json', 'print the results as JSON')
    .option(
      '--support',
      'print a report for somebody who helps you, without secrets, addresses and full host names',
    )
    .action(async (options: CheckOptions) => {
      const { run } = await import('./commands/check.ts');
      exitCode = await run(cli, options);
    });

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
 * Runs one command. Never rejects: what goes wrong is told to the operator.
 * @returns the exit code; undefined while the server runs
 */
export async function runCommandLine(
  args: readonly string[],
  cli: Cli = { env: process.env, out: createOutput(process, process.env) },
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
