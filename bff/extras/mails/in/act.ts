import { failpoint } from '../../../core/failpoint.ts';
import { AppError } from '../../../core/errors.ts';
import type { Spend } from '../../../core/limits/limits.ts';
import type { Core } from '../../../core/wiring.ts';
import type { Notices } from '../notices.ts';
import type { Suppressions } from '../suppressions.ts';
import { decide, type Decision } from './decide.ts';
import { createFacts, type MailInOptions, type Sender } from './facts.ts';
import type { Ending, LeasedMail } from './inbox.ts';
import type { IncomingMail } from './incoming-mail.ts';
import type { Tokens } from './reply-tokens.ts';

/** What became of a mail. A label of a metric. */
export type MailInResult = Decision['act'];

/** What was done, and what is to be recorded of it. `after`: to be called then. */
interface Acted {
  result: MailInResult;
  ending: Ending;
  after?: () => Promise<void>;
}

/** The answer to a mail that belongs to no ticket. It quotes nothing. Never rejects. */
export type TellSender = (mail: { to: string; language: string; messageId: string | null }) => Promise<void>;

interface Deps {
  tokens: Tokens;
  suppressions: Suppressions;
  notices: Pick<Notices, 'removeOf'>;
  read: (raw: Uint8Array) => Promise<IncomingMail>;
  tell: TellSender;
  options: MailInOptions;
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
  const { store, seal, limits, received } = core;
  const factsOf = createFacts(core, tokens, options);

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

  async function tellSender(row: LeasedMail, mail: IncomingMail, to: Sender): Promise<Acted> {
    const spends: Spend[] = [
      { policy: 'mail-answers-address', key: to.mailboxHash },
      { policy: 'mail-answers', key: '' },
    ];
    // SECURITY: anybody can name a stranger as the sender. What the operator's mail server says counts, where it says something.
    const isForged = to.checks !== null && to.checks.dmarc !== 'pass' && to.checks.spf !== 'pass';
    const isSilent = await suppressions.has([to.addressHash, to.mailboxHash]);
    const mayTell = row.attempts === 1 && !isForged && !isSilent && (await hasRoom(row, spends));
    if (!mayTell) return done('tell', 'not told again');
    const language = await languageOf(to.addressHash);
    // Told once that is recorded: if the process ends in between, the sender is told nothing.
    const after = () => tell({ to: to.address, language, messageId: mail.messageId });
    return { ...done('tell', 'told'), after };
  }

  async function open(row: LeasedMail, mail: IncomingMail, by: Sender): Promise<Acted> {
    const spends: Spend[] = [
      { policy: 'tickets-address', key: by.mailboxHash },
      { policy: 'mail-tickets', key: '' },
    ];
    if (!(await hasRoom(row, spends))) return aside('too many tickets were opened by mail', by);
    const opener = {
      email: by.address,
      name: by.name,
      subject: mail.subject,
      language: await languageOf(by.addressHash),
    };
    const what = receivedOf(row, mail, by, false);
    await received.open(opener, what);
    failpoint('mail_recorded');
    return sent('open', what.key, by);
  }

  async function reply(
    row: LeasedMail,
    mail: IncomingMail,
    by: Sender,
    to: { subjectId: string; ticketId: string; isCustomer: boolean },
  ): Promise<Acted> {
    const what = receivedOf(row, mail, by, to.isCustomer);
    await received.reply(to, what);
    failpoint('mail_recorded');
    return sent('reply', what.key, by);
  }

  const receivedOf = (row: LeasedMail, mail: IncomingMail, by: Sender, isCustomer: boolean) => ({
    key: keyOf(seal, row.id),
    text: mail.words || (mail.attachments.length === 0 ? mail.subject : ''),
    files: mail.attachments,
    by: { from: by.address, isCustomer, said: by.said },
  });

  const aside = (reason: string, by: Sender | null): Acted => ({
    result: 'aside',
    ending: { state: 'aside', reason, addressHash: by?.addressHash ?? null },
  });
  const done = (result: MailInResult, reason: string): Acted => ({
    result,
    ending: { state: 'done', reason },
  });
  const sent = (result: MailInResult, key: string, by: Sender): Acted => ({
    result,
    ending: { state: 'done', reason: result, key, addressHash: by.addressHash },
  });

  /**
   * Does what is to be done with a mail, as far as the limits allow it.
   * @throws what `read` throws
   */
  return async function act(row: LeasedMail): Promise<Acted> {
    const mail = await read(row.raw);
    const { facts, sender } = await factsOf(mail, row.raw);
    const decision = decide(mail, facts);
    if (decision.act === 'ignore') return done('ignore', decision.reason);
    if (decision.act === 'bounced') {
      await suppressions.add(decision.addressHash, 'bounced');
      await notices.removeOf(decision.addressHash);
      return done('bounced', 'bounced');
    }
    if (decision.act === 'aside' || sender === null)
      return aside(decision.act === 'aside' ? decision.reason : 'it has no sender', sender);
    const ticketId = decision.act === 'reply' ? decision.ticketId : '';
    // SECURITY: anybody can send mails in another's name, and must not use up what their answers have.
    const room: Spend = { policy: 'mails-address', key: `${sender.mailboxHash} ${ticketId}` };
    if (!(await hasRoom(row, [room])))
      return aside('its sender has sent too many mails within a day', sender);
    if (decision.act === 'tell') return tellSender(row, mail, sender);
    return decision.act === 'open' ? open(row, mail, sender) : reply(row, mail, sender, decision);
  };
}

export type Acting = ReturnType<typeof createActing>;
