import { isoTime } from '../../core/clock.ts';
import { type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import type { Extra } from '../../core/extra.ts';
import { readAddress } from '../../core/identity/address.ts';
import type { Core } from '../../core/wiring.ts';
import { createSuppressions } from './suppressions.ts';

interface AddressesOptions {
  email?: string;
  free?: boolean;
  unsubscribed?: boolean;
}

const dayOf = (at: number) => isoTime(at).slice(0, 10);

/**
 * Shows why an address gets no mails about tickets, and frees it. Without an address it counts them: the store has
 * only their hashes. Ends with 1 when an address is not freed.
 */
async function run(
  { out }: Cli,
  core: Core,
  { email, free = false, unsubscribed = false }: AddressesOptions,
): Promise<ExitCode> {
  const suppressions = createSuppressions(core);
  if (email === undefined) {
    const counts = await suppressions.counts();
    for (const { reason, count, newest } of counts)
      out.line(`${count} ${reason}, the last on ${dayOf(newest)}`);
    if (counts.length === 0) out.line('every address gets mails about tickets');
    return exitCodes.ok;
  }
  if (readAddress(email) === null) {
    out.note('this is no e-mail address');
    return exitCodes.usage;
  }
  const hashes = [core.subjects.addressHash(email), core.subjects.mailboxHash(email)];
  const found = await suppressions.find(hashes);
  if (found.length === 0) {
    out.line('this address gets mails about tickets');
    return exitCodes.ok;
  }
  for (const { reason, created_at: at } of found)
    out.line(
      reason === 'bounced'
        ? `the mail server said on ${dayOf(at)} that there is no such mailbox`
        : `its owner unsubscribed on ${dayOf(at)}`,
    );
  if (!free) return exitCodes.ok;
  if (!unsubscribed && found.some(({ reason }) => reason === 'unsubscribed')) {
    out.note('only its owner may undo that: free it with --unsubscribed, and only at their wish');
    return exitCodes.failure;
  }
  await suppressions.remove(hashes);
  out.line('it gets mails about new tickets again');
  return exitCodes.ok;
}

export const addAddressesCommand: NonNullable<Extra['addCommand']> = (program, cli, onExit, withCore) => {
  program
    .command('addresses')
    .description('count the addresses that get no mails about tickets; look one up, and free it')
    .option('--email <address>', 'look up this address')
    .option('--free', 'let it get mails about tickets again')
    .option('--unsubscribed', 'with --free: also if its owner has unsubscribed, and asks for it')
    .action(async (options: AddressesOptions) => onExit(await withCore((core) => run(cli, core, options))));
};
