import { failpoint } from '../../../core/failpoint.ts';
import { AppError } from '../../../core/errors.ts';
import { readAddress } from '../../../core/identity/address.ts';
import type { Spend } from '../../../core/limits/limits.ts';
import type { Core } from '../../../core/wiring.ts';
import type { Notices } from '../notices.ts';
import type { Suppressions } from '../suppressions.ts';
import { checksIn, saidBy, type SenderChecks } from './authentication.ts';
import { type AskedFor, decide, type Decision } from './decide.ts';
import type { Ending, LeasedMail } from './inbox.ts';
import type { IncomingMail } from './read-mail.ts';
import { type Tokens, tokensIn } from './reply-tokens.ts';

/** What became of a mail. A label of a metric. */
export type MailInResult = Decision['act'];

/** The answer to a mail that belongs to no ticket. It quotes nothing. Never rejects. */
export type TellSender = (mail: { to: string; language: string; messageId: string | null }) => Promise<void>;

interface Deps {
  tokens: Tokens;
  suppressions: Suppressions;
  notices: Pick<Notices, 'removeOf'>;
  read: (raw: Uint8Array) => Promise<IncomingMail>;
  tell: TellSender;
  options: {
    /** The name of the operator's mail server in its `Authentication-Results`. */
    server: string | undefined;
    needsDmarc: boolean;
    opensTickets: boolean;
    /** Where our own mails come from. */
    ownAddress: string;
  };
}

/** The key of the send that is made of a mail, as a UUID, since apps show it. */
const keyOf = (seal: Core['seal'], id: string): string => {
  const hex = Buffer.from(seal.hash('send of a mail', id), 'base64url').toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};

const isLimit = (error: unknown) => error instanceof AppError && error.code === 'rate_limited';

/** Acts on one mail that was taken. */
export function createActing(core: Core, { tokens, suppressions, notices, read, tell, options }: Deps) {
  const { store, seal, subjects, limits, received } = core;

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
  const candidatesIn = (mail: IncomingMail, raw: Uint8Array) =>
    tokensIn([
      ...mail.recipients,
      ...mail.references,
      ...(mail.kind === 'bounce' ? [Buffer.from(raw).toString('latin1')] : []),
    ]);

  async function askedFor(mail: IncomingMail, raw: Uint8Array): Promise<AskedFor | null> {
    const found = await tokens.find(candidatesIn(mail, raw));
    return found && { ...found, subjectId: await holderOf(found.ticketId, found.addressHash) };
  }

  async function isOurs(mail: IncomingMail, sender: string | null): Promise<boolean> {
    if (sender !== null && (sender === options.ownAddress.toLowerCase() || tokens.isOwn(sender))) return true;
    return (await tokens.find(tokensIn(mail.messageId === null ? [] : [mail.messageId]))) !== null;
  }

  /** The language of mails to this address. */
  async function languageOf(addressHash: string): Promise<string> {
    const row = await store
      .selectFrom('notices')
      .select('contact_sealed')
      .where('address_hash', '=', addressHash)
      .limit(1)
      .executeTakeFirst();
    return (row && seal.open('notices.contact', row.contact_sealed)?.language) ?? 'en';
  }

  /** Whether these limits have room. A mail is counted once. */
  async function hasRoom(row: LeasedMail, spends: readonly Spend[]): Promise<boolean> {
    if (row.attempts > 1) return true;
    try {
      await limits.take(spends);
      return true;
    } catch (error) {
      if (isLimit(error)) return false;
      throw error;
    }
  }

  /** A mail as it is recorded. */
  const receivedOf = (
    row: LeasedMail,
    mail: IncomingMail,
    from: string,
    isCustomer: boolean,
    checks: SenderChecks | null,
  ) => ({
    key: keyOf(seal, row.id),
    text: mail.words,
    files: mail.attachments,
    by: { from, isCustomer, said: saidBy(checks) },
  });

  return {
    /**
     * What is to be done with a mail, which its sender and the limits allow.
     * @throws what `read` throws
     */
    async act(
      row: LeasedMail,
    ): Promise<{ result: MailInResult; ending: Ending; after?: () => Promise<void> }> {
      const mail = await read(row.raw);
      const from = mail.from && readAddress(mail.from.address);
      const addressHash = from === null ? null : subjects.addressHash(from);
      const checks = checksIn(mail.authentication, options.server);
      const aside = (reason: string) => ({
        result: 'aside' as const,
        ending: { state: 'aside' as const, reason, addressHash },
      });
      const asked = await askedFor(mail, row.raw);
      const decision = decide(mail, {
        asked,
        isOurs: await isOurs(mail, from),
        senderHash: addressHash,
        checks,
        needsDmarc: options.needsDmarc,
        opensTickets: options.opensTickets,
        bouncedHashes: (mail.bounce?.addresses ?? []).map(subjects.addressHash),
      });
      const done = (reason: string, key?: string) => ({
        result: decision.act,
        ending: { state: 'done' as const, reason, ...(key !== undefined && { key, addressHash }) },
      });
      switch (decision.act) {
        case 'aside':
          return aside(decision.reason);
        case 'ignore':
          return done(decision.reason);
        case 'bounced':
          await suppressions.add(decision.addressHash, 'bounced');
          await notices.removeOf(decision.addressHash);
          return done('bounced');
        default:
      }
      const isReply = decision.act === 'reply';
      const mailbox = subjects.mailboxHash(from!);
      if (!(await hasRoom(row, [{ policy: 'mails-address', key: mailbox }])))
        return aside('its sender has sent too many mails within an hour');
      if (decision.act === 'tell') {
        const spends: Spend[] = [
          { policy: 'mail-answers-address', key: mailbox },
          { policy: 'mail-answers', key: '' },
        ];
        // Recorded first: if the process ends in between, the sender is told nothing.
        if (row.attempts > 1 || !(await hasRoom(row, spends))) return done('not told again');
        const language = await languageOf(addressHash!);
        return { ...done('told'), after: () => tell({ to: from!, language, messageId: mail.messageId }) };
      }
      if (!isReply && !(await hasRoom(row, [{ policy: 'tickets-address', key: mailbox }])))
        return aside('too many tickets were opened under its sender’s address today');
      const what = receivedOf(row, mail, from!, isReply && decision.isCustomer, checks);
      if (isReply) await received.reply(decision, what);
      else {
        const { subject } = mail;
        const language = await languageOf(addressHash!);
        await received.open({ email: from!, name: mail.from!.name, subject, language }, what);
      }
      failpoint('mail_recorded');
      return done(isReply ? 'a reply' : 'a ticket', what.key);
    },
  };
}

export type Acting = ReturnType<typeof createActing>;
