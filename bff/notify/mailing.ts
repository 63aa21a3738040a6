import type { Counter } from 'prom-client';
import type { NewTicket } from '../contract/tickets.ts';
import { failpoint } from '../failpoint.ts';
import type { Mailer, MailResult } from '../mail/mailer.ts';
import type { Store } from '../store/open.ts';
import type { NoticeRow } from '../store/notice-tables.ts';
import type { Seal } from '../store/seal.ts';
import { payloadOf } from '../tickets/operations.ts';
import { inOrder } from '../tickets/present.ts';
import type { V1Thread } from '../v1/schema.ts';
import type { LeasedNotice, MailQueue } from './mail-queue.ts';
import type { Notices } from './notices.ts';
import type { Silence } from './silence.ts';
import { givenUpAfterMs, mailLeaseMs, retryMs } from './times.ts';

/**
 * What has become of a mail. `read`: its answers had been read. `silent`: the address wants none. `expired`: it could
 * not be mailed for too long, or there is nothing to mail any more. `unread`: the ticket could not be read, so that it is tried again.
 */
export type MailOutcome = MailResult | 'read' | 'silent' | 'expired' | 'unread';

export interface MailingDeps {
  store: Store;
  seal: Seal;
  queue: MailQueue;
  silence: Silence;
  notices: Pick<Notices, 'removeOf'>;
  mailer: Pick<Mailer, 'sendTicketMail'>;
  /** The ticket, with so many messages of agents unless some were removed; null when it cannot be read now. */
  readThread: (ticketId: string, answers: number) => Promise<V1Thread | null>;
  /** Of the full page. */
  ticketUrl: (ticketId: string) => string;
  stopUrl: (token: string) => string;
  mails: Pick<Counter<'kind' | 'result'>, 'inc'>;
  repeats: Pick<Counter, 'inc'>;
  now: () => number;
  elapsed: () => number;
}

/** How many characters of texts stand in one mail. */
const maxQuoted = 30_000;

/** Mails what is due about one ticket. */
export function createMailing(deps: MailingDeps) {
  const { store, seal, queue, silence, notices, mailer, readThread, mails, repeats, now, elapsed } = deps;

  const idOf = (ticketId: string, kind: NoticeRow['kind'], answers: number) =>
    seal.hash('mail about a ticket', JSON.stringify([ticketId, kind, answers]));

  async function holdersOf(ticketId: string) {
    return store
      .selectFrom('grants')
      .innerJoin('subjects', 'subjects.id', 'subject_id')
      .select(['read_count', 'verified', 'address_hash'])
      .where('ticket_id', '=', ticketId)
      .execute();
  }

  async function factsOf(ticketId: string) {
    const row = await store
      .selectFrom('tickets')
      .select('facts_sealed')
      .where('id', '=', ticketId)
      .executeTakeFirst();
    return row ? seal.open('tickets.facts', row.facts_sealed) : null;
  }

  /** What the customer wrote; null once it is erased. */
  async function descriptionOf(ticketId: string): Promise<string[] | null> {
    const opening = await store
      .selectFrom('operations')
      .select('payload_sealed')
      .where('kind', '=', 'ticket')
      .where('ticket_id', '=', ticketId)
      .executeTakeFirst();
    const payload = opening && (payloadOf(seal, opening) as NewTicket | null);
    return payload ? [payload.description] : null;
  }

  /** What agents wrote, from the answer behind `from` to the answer `to`. */
  async function answersOf(ticketId: string, from: number, to: number): Promise<string[] | null> {
    const thread = await readThread(ticketId, to);
    const answers = thread && inOrder(thread.messages).filter(({ author_type }) => author_type === 'agent');
    return answers && withinLimit(answers.slice(from, to).map(({ body }) => body));
  }

  /** By both clocks: the wall clock may have been set, and the monotonic one stops while the computer sleeps. */
  const hasLease = (row: LeasedNotice, leasedSince: number) =>
    now() < row.lease_until && elapsed() - leasedSince < mailLeaseMs;

  async function send(row: LeasedNotice, leasedSince: number): Promise<MailOutcome> {
    const { ticket_id: ticketId, kind, sending_answers: answers } = row;
    if (now() - row.waiting_since > givenUpAfterMs[kind]) return 'expired';
    if (await silence.has([row.address_hash, row.mailbox_hash])) return 'silent';
    const contact = seal.open('notices.contact', row.contact_sealed);
    const facts = await factsOf(ticketId);
    const holders = await holdersOf(ticketId);
    if (!contact || !facts || holders.length === 0) return 'expired';
    const read = Math.max(...holders.map(({ read_count }) => read_count));
    if (kind === 'answer' && read >= answers) return 'read';
    // SECURITY: no text for an address that only was typed, which may be somebody else's. A holder must have proven this one.
    const isProven = holders.some(
      (holder) => holder.verified === 1 && holder.address_hash === row.address_hash,
    );
    const from = Math.max(read, row.mailed_answers);
    const texts = !isProven
      ? null
      : kind === 'answer'
        ? await answersOf(ticketId, from, answers)
        : await descriptionOf(ticketId);
    if (isProven && kind === 'answer') {
      if (!texts) return 'unread';
      // An agent has removed them.
      if (texts.length === 0) return 'expired';
    }
    if (!hasLease(row, leasedSince)) return 'failed';
    const result = await mailer.sendTicketMail({
      kind,
      to: contact.email,
      language: contact.language,
      number: String(facts.ticket_number ?? ticketId.slice(0, 8)),
      texts,
      id: idOf(ticketId, kind, answers),
      threadId: idOf(ticketId, 'confirmation', 0),
      link: deps.ticketUrl(ticketId),
      stopLink: deps.stopUrl(silence.tokenOf(row.mailbox_hash)),
    });
    if (result === 'sent') failpoint('mailed');
    return result;
  }

  async function record(row: LeasedNotice, outcome: MailOutcome, isRepeat: boolean): Promise<void> {
    switch (outcome) {
      case 'failed':
      case 'uncertain':
      case 'unread':
        return queue.postpone(row, retryMs(row.attempts), isRepeat || outcome === 'uncertain');
      case 'bounced':
        await silence.add(row.address_hash, 'bounced');
        return notices.removeOf(row.address_hash);
      case 'silent':
        return queue.remove(row);
      default:
        return queue.finish(row, outcome === 'sent');
    }
  }

  /** Null when another process mails it. */
  return async function mail(row: NoticeRow): Promise<MailOutcome | null> {
    const leasedSince = elapsed();
    const leased = await queue.lease(row);
    if (!leased) return null;
    // A process ended while it sent this, or no answer came: whether the mail was taken is not known.
    const isRepeat = row.sending_answers !== null;
    const outcome = await send(leased, leasedSince);
    if (isRepeat && (outcome === 'sent' || outcome === 'uncertain')) repeats.inc();
    mails.inc({ kind: row.kind, result: outcome });
    await record(leased, outcome, isRepeat);
    return outcome;
  };
}

/** As many as have room, the newest at least; the longest is cut. */
function withinLimit(texts: readonly string[]): string[] {
  const kept: string[] = [];
  let left = maxQuoted;
  for (const text of texts.toReversed()) {
    if (left <= 0) break;
    kept.unshift(text.length <= left ? text : `${text.slice(0, left).toWellFormed()}…`);
    left -= text.length;
  }
  return kept;
}

export type Mailing = ReturnType<typeof createMailing>;
