import { type Command, Option } from 'commander';
import type { Cli } from './command.ts';
import type { ExportOptions } from './commands/export.ts';
import type { ForgetOptions } from './commands/forget.ts';
import type { MigrateOptions } from './commands/migrate.ts';
import type { OnExit } from './terminal/output.ts';

/** Names, options and help texts of the commands that copy the store. */
export function addBackupCommands(program: Command, cli: Cli, onExit: OnExit): void {
  program
    .command('backup')
    .description('copy the store to a file, also while the server runs')
    .argument('<file>', 'what to write')
    .action(async (file: string) => {
      const { run } = await import('./commands/backup.ts');
      onExit(await run(cli, file));
    });

  program
    .command('restore')
    .description('put a backup in the place of the store, while no server runs')
    .argument('<file>', 'the backup')
    .action(async (file: string) => {
      const { run } = await import('./commands/restore.ts');
      onExit(await run(cli, file));
    });
}

/** Names, options and help texts of the commands that change or read the whole store. */
export function addStoreCommands(program: Command, cli: Cli, onExit: OnExit): void {
  program
    .command('migrate')
    .description('bring the store to the schema of this version, as the server does when it starts')
    .addOption(new Option('--from <store>', 'copy that store to the one of DATABASE_URL').choices(['sqlite']))
    .action(async (options: MigrateOptions) => {
      const { run } = await import('./commands/migrate.ts');
      onExit(await run(cli, options));
    });

  const address = ['--email <address>', 'whose; proven, or only typed'] as const;

  program
    .command('export')
    .description('print what the store has of one person, as JSON')
    .requiredOption(...address)
    .action(async (options: ExportOptions) => {
      const { run } = await import('./commands/export.ts');
      onExit(await run(cli, options));
    });

  program
    .command('forget')
    .description('remove what the store has of one person; the ticket service keeps what it has')
    .requiredOption(...address)
    .option('--undelivered', 'also while something of theirs is still to be delivered: it is dropped')
    .action(async (options: ForgetOptions) => {
      const { run } = await import('./commands/forget.ts');
      onExit(await run(cli, options));
    });
}
