import { unsubscribePath } from '../../../shared/contract/paths.ts';
import type { Extra } from '../../core/extra.ts';
import type { Part } from '../../core/part.ts';
import { replyTimeInMail, sentencesOf } from '../../core/site/site.ts';
import { countAgentMessages } from '../../core/tickets/present.ts';
import type { Core } from '../../core/wiring.ts';
import { mailChecks } from './checks.ts';
import { addAddressesCommand } from './command.ts';
import { createBackgroundReader } from './background-reader.ts';
import { createJob, type Job } from './job.ts';
import { createMailFacts } from './mail-facts.ts';
import { createMailQueue } from './mail-queue.ts';
import { createMailing } from './mailing.ts';
import { declareMails, mailCounters } from './metrics.ts';
import { createNotices } from './notices.ts';
import { createReadSchedule } from './read-schedule.ts';
import { unsubscribeRoutes } from './routes.ts';
import { createSuppressions, type Suppressions } from './suppressions.ts';
import { type ValuesOf, valuesOf } from '../../core/settings/settings.ts';
import { mailSettings } from './settings.ts';
import { mailSchema } from './tables.ts';
import { createUnsubscribe } from './unsubscribe.ts';
import type { Log } from '../../core/log/log.ts';
import type { Mailer } from './mailer.ts';

/**
 * Mails codes, and mails about tickets: that one was received, and that an answer waits. Without a mail server nothing
 * runs and nothing is read. Links to unsubscribe in older mails work all the same.
 */
export const mails: Extra = {
  name: 'mails',
  settings: mailSettings,
  schema: mailSchema,
  checks: mailChecks,
  addCommand: addAddressesCommand,
  create: createMailsPart,
};

export interface MailsPart extends Part {
  suppressions: Suppressions;
  /** Null where no mails about tickets are sent. */
  job: Job | null;
  /** Resolves when all current reads for mails are done. */
  settled?: () => Promise<void>;
}

export async function createMailsPart(core: Core): Promise<MailsPart> {
  const { config, store, seal, subjects, threads, v1, live, limits, log, report, now, elapsed } = core;
  const { publicUrl, brand } = config;
  const onError = report('notices_failed');
  const set = valuesOf(mailSettings, config.values);
  const mailer = await openMailer(set, config, log);
  const offered = {
    answerAfterMs: mailer && set.NOTIFY_EMAIL === 'on' ? set.NOTIFY_AFTER_MS : null,
    hasConfirmations: mailer !== null && set.CONFIRM_EMAIL === 'on',
  };
  const suppressions = createSuppressions({ store, seal, now });
  const notices = createNotices({ store, seal, subjects, suppressions, offered, now });
  const unsubscribe = createUnsubscribe({ suppressions, notices, brand: brand ?? new URL(publicUrl).host });
  const counters = mailCounters(core.declare);

  const always: Omit<MailsPart, 'job'> = {
    suppressions,
    ...(mailer && {
      sendCode: (...mail) =>
        mailer.sendCode(...mail).then(
          () => counters.codes.inc({ result: 'accepted' }),
          (error: unknown) => {
            counters.codes.inc({ result: 'failed' });
            throw error;
          },
        ),
    }),
    routes: (port) => ({ [unsubscribePath]: unsubscribeRoutes({ unsubscribe, limits, ...port }) }),
  };
  if (!mailer || (offered.answerAfterMs === null && !offered.hasConfirmations)) {
    declareMails(core.declare, async () => ({ due: 0, followed: 0 }));
    return { ...always, job: null };
  }

  const queue = createMailQueue({ store, offered, now });
  const schedule = createReadSchedule({ store, seal, now });
  const { inTurn } = live;
  const reader = createBackgroundReader({ schedule, notices, threads, v1, inTurn, elapsed, onError });
  const mail = createMailing({
    seal,
    facts: createMailFacts({ store, seal }),
    queue,
    suppressions,
    notices,
    mailer,
    readThread: reader.readThread,
    // In the fragment, which proxies do not log.
    ticketUrl: (ticketId) => `${publicUrl}/?ticket=${encodeURIComponent(ticketId)}`,
    replyTime: (language) => replyTimeInMail(config, language, now()),
    unsubscribeUrl: (token) => `${publicUrl}${unsubscribePath}/${token}`,
    ...counters,
    now,
    elapsed,
  });
  const reading = offered.answerAfterMs === null ? null : { schedule, reader };
  const job = createJob({ queue, mail, reading, now, elapsed, onError });
  declareMails(core.declare, async () => ({
    due: await queue.countDue(),
    followed: await schedule.count(),
  }));

  return {
    ...always,
    job,
    settled: reader.settled,
    wantsNotify: true,
    ...(offered.answerAfterMs !== null && {
      site: (language: string) => ({ sentences: { notify: sentencesOf(language).site.notify } }),
    }),
    onOpened: notices.addOpened,
    onRead: (ticketId, thread) => notices.answersSeen(ticketId, countAgentMessages(thread)),
    onHint: (ticketId) => void notices.readSoon(ticketId).then(job.kick, onError),
    onSendChanged({ kind, state, ticket_id: ticketId }) {
      if (state !== 'done' || ticketId === null) return;
      if (kind === 'message') void notices.customerWrote(ticketId).catch(onError);
      else job.kick();
    },
    async ticketData(ticketIds) {
      const mailed = await notices.mailed(ticketIds);
      return new Map([...mailed].map((id) => [id, { answers_by_mail: true }]));
    },
    release: queue.release,
    start: job.start,
    stop: job.stop,
  };
}

interface Sender {
  brand: string | null;
  brandColor: string | null;
  brandLogo: string | null;
  publicUrl: string;
}

/** The mailer of the operator's settings. Null without a mail server: then the mail library is not loaded. */
export async function openMailer(
  { SMTP_URL: url, MAIL_FROM: from, MAIL_REPLY_TO: replyTo }: ValuesOf<typeof mailSettings.shape>,
  { brand, brandColor, brandLogo, publicUrl }: Sender,
  log: Pick<Log, 'report'>,
): Promise<Mailer | null> {
  if (url === undefined) return null;
  const { createMailer } = await import('./mailer.ts');
  return createMailer({ url, from: from!, replyTo, brand, brandColor, brandLogo, publicUrl, log });
}
