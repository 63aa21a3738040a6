import { unsubscribePath } from '../../../shared/contract/paths.ts';
import { backoffMs } from '../../core/backoff.ts';
import { failpoint } from '../../core/failpoint.ts';
import type { Tokens } from './in/reply-tokens.ts';
import type { Mailer, MailResult } from './mailer.ts';
import type { NoticeRow } from './tables.ts';
import { replyTimeInMail } from '../../core/site/site.ts';
import type { V1Thread } from '../../core/v1/schema.ts';
import type { Core } from '../../core/wiring.ts';
import { answersIn, createMailFacts } from './mail-facts.ts';
import { type LeasedNotice, type MailQueue, mailLeaseMs } from './mail-queue.ts';
import type { MailCounters } from './metrics.ts';
import type { Notices } from './notices.ts';
import type { Suppressions } from './suppressions.ts';

/**
 * The outcome of a mail. `read`: its answers had been read. `silent`: the address is unsubscribed. `expired`: it
 * could not be mailed for too long, or there is nothing left to mail. `unread`: the ticket could not be read in time,
 * so another attempt follows.
 */
export type MailOutcome = MailResult | 'read' | 'silent' | 'expired' | 'unread';

interface MailingDeps {
  queue: MailQueue;
  suppressions: Suppressions;
  notices: Notices;
  mailer: Mailer;
  /** Null where answers to mails are not read. */
  replyTokens: Pick<Tokens, 'of'> | null;
  /**
   * Reads the ticket, with at least this many messages of agents unless some were removed. Null when it cannot be read
   * now.
   */
  readThread: (ticketId: string, answers: number) => Promise<V1Thread | null>;
  counters: MailCounters;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** A mail that could not be sent for this long is given up. */
const givenUpAfterMs = { answer: 3 * dayMs, confirmation: dayMs } as const;
const firstRetryMs = 15_000;
const longestRetryMs = 30 * minuteMs;
/** The pause before a mail is tried again after `attempts` failures. */
const retryMs = (attempts: number): number => backoffMs(attempts, firstRetryMs, longestRetryMs);

/** Sends the due mail about one ticket. */
export function createMailing(
  core: Core,
  { queue, suppressions, notices, mailer, replyTokens, readThread, counters }: MailingDeps,
) {
  const { config, seal, now, elapsed } = core;
  const facts = createMailFacts(core);

  const idOf = (ticketId: string, kind: NoticeRow['kind'], answers: number) =>
    seal.hash('mail about a ticket', JSON.stringify([ticketId, kind, answers]));

  /**
   * Checks both clocks: the wall clock may have been set, and the monotonic clock stops while the computer sleeps.
   */
  const hasLease = (row: LeasedNotice, leasedSince: number) =>
    now() < row.lease_until && elapsed() - leasedSince < mailLeaseMs;

  /** The texts that are quoted. Null when none may be. */
  async function textsOf(row: LeasedNotice, thread: V1Thread | null, read: number): Promise<string[] | null> {
    const { ticket_id: ticketId, kind, mailed_answers: mailed, sending_answers: answers } = row;
    if (kind === 'answer') return thread && answersIn(thread, Math.max(read, mailed), answers);
    const description = await facts.description(ticketId);
    return description === null ? null : [description];
  }

  async function send(row: LeasedNotice, leasedSince: number): Promise<MailOutcome> {
    const { ticket_id: ticketId, kind, sending_answers: answers } = row;
    if (now() - row.waiting_since > givenUpAfterMs[kind]) return 'expired';
    const isQuoted = kind === 'answer' && (await facts.holders(row))?.hasProven === true;
    const thread = isQuoted ? await readThread(ticketId, answers) : null;
    if (isQuoted && !thread) return 'unread';
    // The read may have taken long, so all facts that decide about the mail are looked up after it.
    if (await suppressions.has([row.address_hash, row.mailbox_hash])) return 'silent';
    const contact = seal.open('notices.contact', row.contact_sealed);
    const ticket = await facts.ticket(ticketId);
    const holders = await facts.holders(row);
    if (!contact || !ticket || !holders) return 'expired';
    if (kind === 'answer' && holders.read >= answers) return 'read';
    // SECURITY: no text for an address that was only typed, since it may be somebody else's.
    const texts = holders.hasProven ? await textsOf(row, thread, holders.read) : null;
    // An agent has removed the answers.
    if (texts?.length === 0) return 'expired';
    const reply = (await replyTokens?.of(row)) ?? null;
    if (!hasLease(row, leasedSince)) return 'unread';
    const number = String(ticket.ticket_number ?? ticketId.slice(0, 8));
    const result = await mailer.sendTicketMail({
      kind,
      to: contact.email,
      language: contact.language,
      number,
      reference: kind === 'answer' ? `${number}-${answers}` : number,
      reply,
      texts,
      replyTime: kind === 'confirmation' ? await replyTimeInMail(config, contact.language, now()) : null,
      id: idOf(ticketId, kind, answers),
      threadId: idOf(ticketId, 'confirmation', 0),
      // In the fragment, which proxies do not log.
      link: `${config.publicUrl}/?ticket=${encodeURIComponent(ticketId)}`,
      unsubscribeLink: `${config.publicUrl}${unsubscribePath}/${suppressions.tokenOf(row.mailbox_hash)}`,
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
        await suppressions.add(row.address_hash, 'bounced');
        return notices.removeOf(row.address_hash);
      case 'silent':
        return queue.remove(row);
      default:
        return queue.finish(row, isRepeat || outcome === 'sent');
    }
  }

  /** Null when another process mails it. */
  return async function mail(row: NoticeRow): Promise<MailOutcome | null> {
    const leasedSince = elapsed();
    const leased = await queue.lease(row);
    if (!leased) return null;
    // A process ended while it sent this, or no answer came. It is not known whether the mail was accepted.
    const isRepeat = row.sending_answers !== null;
    const outcome = await send(leased, leasedSince);
    if (isRepeat && (outcome === 'sent' || outcome === 'uncertain')) counters.repeats.inc();
    counters.mails.inc({ kind: row.kind, result: outcome });
    await record(leased, outcome, isRepeat);
    return outcome;
  };
}

export type Mailing = ReturnType<typeof createMailing>;
