import { readAddress } from '../../../core/identity/address.ts';
import type { Core } from '../../../core/wiring.ts';
import { checksIn, saidBy } from './authentication.ts';
import type { AskedFor, Facts } from './decide.ts';
import type { IncomingMail } from './incoming-mail.ts';
import { type Tokens, tokensIn } from './reply-tokens.ts';

/* Looks up what decides about a mail: whose ticket it answers, and who has sent it. It changes nothing. */

export interface MailInOptions {
  /** The name of the operator's mail server in its `Authentication-Results`. */
  server: string | undefined;
  needsDmarc: boolean;
  opensTickets: boolean;
  /** Where our own mails come from. */
  ownAddress: string;
}

/** How much of a bounce is searched: what a server says, and the header of the mail that it returns. */
const maxSearched = 200_000;

export function createFacts(
  { store, subjects }: Pick<Core, 'store' | 'subjects'>,
  tokens: Tokens,
  options: MailInOptions,
) {
  /**
   * Whose word an answer to this ticket is: of the holder who has proven the address that its mails go to, else of whoever
   * opened it.
   */
  async function holderOf(ticketId: string, addressHash: string): Promise<string | null> {
    const holders = await store
      .selectFrom('grants')
      .innerJoin('subjects', 'subjects.id', 'subject_id')
      .select(['subject_id', 'verified', 'address_hash'])
      .where('ticket_id', '=', ticketId)
      .where('colleague', '=', 0)
      .orderBy('grants.created_at')
      .execute();
    const proven = holders.find((each) => each.verified === 1 && each.address_hash === addressHash);
    return (proven ?? holders[0])?.subject_id ?? null;
  }

  /** Those of a bounce are in the mail that it returns. */
  const candidatesIn = (mail: IncomingMail, raw: Buffer) =>
    tokensIn([
      ...mail.recipients,
      ...mail.references,
      ...(mail.kind === 'bounce' ? [raw.toString('latin1', 0, maxSearched)] : []),
    ]);

  async function askedFor(mail: IncomingMail, raw: Buffer): Promise<AskedFor | null> {
    const found = await tokens.find(candidatesIn(mail, raw));
    return found && { ...found, subjectId: await holderOf(found.ticketId, found.addressHash) };
  }

  async function isOurs(mail: IncomingMail, sender: string | null): Promise<boolean> {
    if (sender !== null && (sender === options.ownAddress.toLowerCase() || tokens.isOwn(sender))) return true;
    return (await tokens.find(tokensIn(mail.messageId === null ? [] : [mail.messageId]))) !== null;
  }

  /** Who has sent a mail, as its header says. */
  function senderOf(mail: IncomingMail) {
    const address = mail.from && readAddress(mail.from.address);
    if (address === null) return null;
    const checks = checksIn(mail.authentication, options.server, address.split('@').at(-1)!);
    return {
      address,
      name: mail.from!.name,
      addressHash: subjects.addressHash(address),
      mailboxHash: subjects.mailboxHash(address),
      said: saidBy(checks),
      checks,
    };
  }

  return async function factsOf(mail: IncomingMail, raw: Buffer) {
    const sender = senderOf(mail);
    const facts: Facts = {
      asked: await askedFor(mail, raw),
      isOurs: await isOurs(mail, sender?.address ?? null),
      senderHash: sender?.addressHash ?? null,
      checks: sender?.checks ?? null,
      needsDmarc: options.needsDmarc,
      opensTickets: options.opensTickets,
      bouncedHashes: (mail.bounce?.addresses ?? []).map(subjects.addressHash),
    };
    return { facts, sender };
  };
}

/** Who has sent a mail. */
export type Sender = NonNullable<Awaited<ReturnType<ReturnType<typeof createFacts>>>['sender']>;
