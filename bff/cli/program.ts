import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ConfigError } from '../config.ts';
import { operationStates, type RefusalCode, refusalCodes } from '../contract/tickets.ts';
import { version } from '../version.ts';
import { addArticleCommands } from './article-commands.ts';
import type { Cli } from './command.ts';
import type { CheckOptions } from './commands/check.ts';
import type { ExportOptions } from './commands/export.ts';
import type { ForgetOptions } from './commands/forget.ts';
import type { InitOptions } from './commands/init.ts';
import type { MigrateOptions } from './commands/migrate.ts';
import type { ListOptions } from './commands/operations.ts';
import type { SnippetOptions } from './commands/snippet.ts';
import { explain } from './explain.ts';
import { questionAt } from './question.ts';
import { createOutput, type ExitCode, exitCodes } from './output.ts';

interface Program {
  program: Command;
  /** The exit code of the command that ran. Undefined while the server runs. */
  result(): ExitCode | undefined;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
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
    // An unknown command is passed as this argument.
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

  program
    .command('init')
    .description('write a file of settings with fresh secrets; asks for what is not given')
    .option('--file <file>', 'what to write', '.env')
    .option('--force', 'replace the file')
    .option('--support-api-url <url>', 'the ticket service')
    .option('--support-api-key-file <file>', 'a file with its API key; without it the key is asked for')
    .option('--allowed-origins <origins>', 'the sites that may show the widget, separated by commas')
    .option('--public-url <url>', 'where browsers reach the BFF')
    .option('--trust-proxy <number>', 'how many proxies stand before it')
    .action(async (options: InitOptions) => {
      const { run } = await import('./commands/init.ts');
      exitCode = await run(cli, options);
    });

  program
    .command('status')
    .description('the state of the running server and of its deliveries')
    .option('--json', 'print it as JSON')
    .action(async (options: { json?: boolean }) => {
      const { run } = await import('./commands/status.ts');
      exitCode = await run(cli, options);
    });

  const operations = program.command('operations').description('the deliveries: list, show, retry, give up');
  operations
    .command('list')
    .description('what is not done, or is in another state')
    .addOption(
      new Option('--state <state>', 'only these')
        .choices([...operationStates, 'open', 'undecided'])
        .default('open', 'open: all but done'),
    )
    .addOption(
      new Option('--limit <number>', 'at most so many, the newest').argParser(wholeNumber).default(100),
    )
    .option('--json', 'print them as JSON')
    .action(async (options: ListOptions) => {
      const { list } = await import('./commands/operations.ts');
      exitCode = await list(cli, options);
    });
  operations
    .command('show')
    .description('all that is known of one, but its text and contact')
    .argument('<id>', 'its id, or its ref from the last line of a ticket')
    .option('--json', 'print it as JSON')
    .action(async (id: string, options: { json?: boolean }) => {
      const { show } = await import('./commands/operations.ts');
      exitCode = await show(cli, id, options);
    });
  operations
    .command('retry')
    .description('send one again that is undecided, unless the ticket service has it')
    .argument('<id>', 'its id or ref')
    .action(async (id: string) => {
      const { retry } = await import('./commands/operations.ts');
      exitCode = await retry(cli, id);
    });
  operations
    .command('give-up')
    .description(
      'end one that is not delivered, unless the ticket service has it; the customer keeps the text',
    )
    .argument('<id>', 'its id or ref')
    .addOption(
      new Option('--reason <code>', 'what the customer is told').choices(refusalCodes).makeOptionMandatory(),
    )
    .action(async (id: string, options: { reason: RefusalCode }) => {
      const { giveUp } = await import('./commands/operations.ts');
      exitCode = await giveUp(cli, id, options);
    });

  program
    .command('backup')
    .description('copy the store to a file, also while the server runs')
    .argument('<file>', 'what to write')
    .action(async (file: string) => {
      const { run } = await import('./commands/backup.ts');
      exitCode = await run(cli, file);
    });

  program
    .command('restore')
    .description('put a backup in the place of the store, while no server runs')
    .argument('<file>', 'the backup')
    .action(async (file: string) => {
      const { run } = await import('./commands/restore.ts');
      exitCode = await run(cli, file);
    });

  program
    .command('snippet')
    .description('print the tag for your site')
    .option('--origin <origin>', 'where browsers reach the BFF; PUBLIC_URL unless given')
    .option('--pinned', 'for this version alone, with its hash')
    .action(async (options: SnippetOptions) => {
      const { run } = await import('./commands/snippet.ts');
      exitCode = await run(cli, options);
    });

  addArticleCommands(program, cli, (code) => {
    exitCode = code;
  });

  program
    .command('migrate')
    .description('bring the store to the schema of this version, as the server does when it starts')
    .addOption(new Option('--from <store>', 'copy that store to the one of DATABASE_URL').choices(['sqlite']))
    .action(async (options: MigrateOptions) => {
      const { run } = await import('./commands/migrate.ts');
      exitCode = await run(cli, options);
    });

  const address = ['--email <address>', 'whose; proven, or only typed'] as const;

  program
    .command('export')
    .description('print what the store has of one person, as JSON')
    .requiredOption(...address)
    .action(async (options: ExportOptions) => {
      const { run } = await import('./commands/export.ts');
      exitCode = await run(cli, options);
    });

  program
    .command('forget')
    .description('remove what the store has of one person; the ticket service keeps what it has')
    .requiredOption(...address)
    .option('--undelivered', 'also while something of theirs is still to be delivered: it is dropped')
    .action(async (options: ForgetOptions) => {
      const { run } = await import('./commands/forget.ts');
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
