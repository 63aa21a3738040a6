import { isoTime } from '../../../core/clock.ts';
import type { Extra } from '../../../core/extra.ts';
import { readAddress } from '../../../core/identity/address.ts';
import { type Cli, type ExitCode, exitCodes } from '../../../core/operator/command.ts';
import type { Core } from '../../../core/wiring.ts';
import { createKeptMails } from './kept-mails.ts';
import { createReplyTokens } from './reply-tokens.ts';

interface MailsOptions {
  show?: string;
  again?: string;
  revoke?: string;
}

/** Of the newest. */
const maxListed = 200;
const shownId = 10;

/** Without what a terminal would act on. */
const printable = (raw: Uint8Array) =>
  Buffer.from(raw)
    .toString()
    .replace(/[^\P{Cc}\t\n]/gu, '');

async function revoke({ out }: Cli, core: Core, email: string): Promise<ExitCode> {
  if (readAddress(email) === null) {
    out.note('this is no e-mail address');
    return exitCodes.usage;
  }
  const tokens = createReplyTokens(core, { name: '', address: '' });
  const count = await tokens.revoke(core.subjects.addressHash(email));
  out.line(`answers to earlier mails to this address find their ticket no more (${count} tokens)`);
  return exitCodes.ok;
}

/** Lists the mails that are set aside, shows one, lets it be tried again, or revokes the tokens of an address. */
async function run(cli: Cli, core: Core, options: MailsOptions): Promise<ExitCode> {
  const { out } = cli;
  if (options.revoke !== undefined) return revoke(cli, core, options.revoke);
  const kept = createKeptMails(core);
  const asides = await kept.setAside(maxListed);
  const given = options.show ?? options.again;
  if (given === undefined) {
    for (const { id, receivedAt, reason } of asides)
      out.line(`${id.slice(0, shownId)}  ${isoTime(receivedAt).slice(0, 16)}  ${reason}`);
    if (asides.length === 0) out.line('no mail is set aside');
    return exitCodes.ok;
  }
  const [found, ...others] = asides.filter(({ id }) => id.startsWith(given));
  if (!found || others.length > 0) {
    out.note(found ? 'several mails have an id that begins so' : 'no mail that is set aside has this id');
    return exitCodes.failure;
  }
  if (options.again === undefined) out.line(printable((await found.read()) ?? Buffer.alloc(0)));
  else if (await kept.tryAgain(found.id)) out.line('the server acts on it within a quarter of a minute');
  else {
    out.note('it cannot be tried again: only its beginning is kept, or the ticket service has refused it');
    return exitCodes.failure;
  }
  return exitCodes.ok;
}

export const addMailsCommand: NonNullable<Extra['addCommand']> = (program, cli, onExit, withCore) => {
  program
    .command('mails')
    .description('list the mails that came in and were set aside, with the reason; show one, or try it again')
    .option('--show <id>', 'print this mail as it came')
    .option('--again <id>', 'let the server act on this mail again')
    .option(
      '--revoke <address>',
      'end the tokens by which answers to earlier mails to this address find their ticket',
    )
    .action(async (options: MailsOptions) => onExit(await withCore((core) => run(cli, core, options))));
};
