import type { Command } from 'commander';
import type { Cli } from './command.ts';
import type { CheckOptions } from './commands/check.ts';
import type { InitOptions } from './commands/init.ts';
import type { SnippetOptions } from './commands/snippet.ts';
import type { OnExit } from './terminal/output.ts';

/** Names, options and help texts of the commands that set up and run the server. */
export function addServerCommands(program: Command, cli: Cli, onExit: OnExit): void {
  program
    .command('serve', { isDefault: true })
    .description('run the server; what is done without a command')
    .usage('')
    // An unknown command is passed as this argument.
    .argument('[unknown]')
    .action(async (unknown: string | undefined) => {
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      const { run } = await import('./commands/serve.ts');
      onExit(await run(cli));
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
      onExit(await run(cli, options));
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
      onExit(await run(cli, options));
    });

  program
    .command('status')
    .description('the state of the running server and of its deliveries')
    .option('--json', 'print it as JSON')
    .action(async (options: { json?: boolean }) => {
      const { run } = await import('./commands/status.ts');
      onExit(await run(cli, options));
    });
}

/** Name, options and help texts of `deskside snippet`. */
export function addSnippetCommand(program: Command, cli: Cli, onExit: OnExit): void {
  program
    .command('snippet')
    .description('print the tag for your site')
    .option('--origin <origin>', 'where browsers reach the BFF; PUBLIC_URL unless given')
    .option('--pinned', 'for this version alone, with its hash')
    .action(async (options: SnippetOptions) => {
      const { run } = await import('./commands/snippet.ts');
      onExit(await run(cli, options));
    });
}
