import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { withCore } from '../open-store.ts';

/* The commands about the data of one person, who is named by an address. */

const emailOption = ['--email <address>', 'whose; proven, or only typed'] as const;

function refuse({ out }: Cli): ExitCode {
  out.note('this is no e-mail address');
  return exitCodes.usage;
}

/** Prints what is stored under an address, as JSON. */
async function exportData(cli: Cli, email: string): Promise<ExitCode> {
  const found = await withCore(cli, ({ operatorData }) => operatorData.export(email));
  if (found === null) return refuse(cli);
  cli.out.json(found);
  return exitCodes.ok;
}

/** Removes what is stored under an address. Ends with 1, and removes nothing, while something is still to be delivered. */
async function forget(cli: Cli, email: string, undelivered: 'drop' | 'keep'): Promise<ExitCode> {
  const forgotten = await withCore(cli, ({ operatorData }) => operatorData.forget(email, undelivered));
  if (forgotten === null) return refuse(cli);
  const { customers, tickets, undelivered: left } = forgotten;
  cli.out.line(
    `Removed: ${customers} customers, ${tickets} tickets. What the ticket service has stays there.`,
  );
  if (left === 0) return exitCodes.ok;
  cli.out.note(
    `${left} messages are still to be delivered: try again later, or drop them with --undelivered`,
  );
  return exitCodes.failure;
}

export const exportCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('export')
    .description('print what the store has of one person, as JSON')
    .requiredOption(...emailOption)
    .action(async ({ email }: { email: string }) => onExit(await exportData(cli, email)));
};

export const forgetCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('forget')
    .description('remove what the store has of one person; the ticket service keeps what it has')
    .requiredOption(...emailOption)
    .option('--undelivered', 'also while something of theirs is still to be delivered: it is dropped')
    .action(async ({ email, undelivered }: { email: string; undelivered?: boolean }) =>
      onExit(await forget(cli, email, undelivered ? 'drop' : 'keep')),
    );
};
