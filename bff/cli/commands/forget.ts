import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { withCore } from '../open-store.ts';

interface ForgetOptions {
  email: string;
  undelivered?: boolean;
}

/** Removes what is stored under an address. Ends with 1, and removes nothing, while something is still to be delivered. */
async function run(cli: Cli, { email, undelivered }: ForgetOptions): Promise<ExitCode> {
  const { out } = cli;
  const forgotten = await withCore(cli, ({ operatorData }) =>
    operatorData.forget(email, undelivered ? 'drop' : 'keep'),
  );
  if (forgotten === null) {
    out.note('this is no e-mail address');
    return exitCodes.usage;
  }
  const { customers, tickets, undelivered: left } = forgotten;
  out.line(`Removed: ${customers} customers, ${tickets} tickets. What the ticket service has stays there.`);
  if (left === 0) return exitCodes.ok;
  out.note(`${left} messages are still to be delivered: try again later, or drop them with --undelivered`);
  return exitCodes.failure;
}

export const forgetCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('forget')
    .description('remove what the store has of one person; the ticket service keeps what it has')
    .requiredOption('--email <address>', 'whose; proven, or only typed')
    .option('--undelivered', 'also while something of theirs is still to be delivered: it is dropped')
    .action(async (options: ForgetOptions) => {
      onExit(await run(cli, options));
    });
};
