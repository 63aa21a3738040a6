import type { Cli } from '../command.ts';
import { withOperatorData } from '../operator-data.ts';
import { type ExitCode, exitCodes } from '../terminal/output.ts';

export interface ForgetOptions {
  email: string;
  undelivered?: boolean;
}

/** Removes what is stored under an address. Ends with 1, and removes nothing, while something is still to be delivered. */
export async function run(cli: Cli, { email, undelivered }: ForgetOptions): Promise<ExitCode> {
  const { out } = cli;
  const forgotten = await withOperatorData(cli, (data) => data.forget(email, undelivered ? 'drop' : 'keep'));
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
