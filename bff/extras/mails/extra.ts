import { unsubscribePath } from '../../../shared/contract/paths.ts';
import type { Extra } from '../../core/extra.ts';
import type { Part } from '../../core/part.ts';
import { sentencesOf } from '../../core/site/site.ts';
import { countAgentMessages } from '../../core/tickets/present.ts';
import type { Core } from '../../core/wiring.ts';
import { mailChecks } from './checks.ts';
import { addAddressesCommand } from './command.ts';
import { createBackgroundReader } from './background-reader.ts';
import { createJob, type Job } from './job.ts';
import { addMailsCommand } from './in/command.ts';
import type { Mailer } from './mailer.ts';
import { createMailQueue } from './mail-queue.ts';
import { createMailing } from './mailing.ts';
import { declareMails, mailCounts } from './metrics.ts';
import { createNotices } from './notices.ts';
import { createReadSchedule } from './read-schedule.ts';
import { createSuppressions, type Suppressions } from './suppressions.ts';
import { createIncoming, type Incoming } from './in/incoming.ts';
import { keptMailsPart } from './in/kept-mails.ts';
import { type ValuesOf, valuesOf } from '../../core/settings/settings.ts';
import { mailSettings } from './settings.ts';
import { mailSchema } from './tables.ts';
import { unsubscribeRoutes } from './unsubscribe.ts';

/**
 * Mails codes, and mails about tickets: that one was received, and that an answer waits; and takes what is mailed in answer.
 * Without a mail server nothing runs and nothing is read. Links to unsubscribe in older mails work all the same.
 */
export const mails: Extra = {
  name: 'mails',
  settings: mailSettings,
  schema: mailSchema,
  checks: mailChecks,
  status: mailCounts,
  addCommand(...given) {
    addAddressesCommand(...given);
    addMailsCommand(...given);
  },
  create: createMailsPart,
};

export interface MailsPart extends Part {
  suppressions: Suppressions;
  /** Null where no mails about tickets are sent. */
  job: Job | null;
  /** Null where no mails are taken. */
  incoming: Incoming | null;
  /** Resolves when all current reads for mails are done. */
  settled?: () => Promise<void>;
}

async function createMailsPart(core: Core): Promise<MailsPart> {
  const { config } = core;
  const onError = core.report('notices_failed');
  const set = valuesOf(mailSettings, config.values);
  const mailer = await openMailer(core, set);
  const offered = {
    answerAfterMs: mailer && set.NOTIFY_EMAIL === 'on' ? set.NOTIFY_AFTER_MS : null,
    hasConfirmations: mailer !== null && set.CONFIRM_EMAIL === 'on',
  };
  const hasTicketMails = offered.answerAfterMs !== null || offered.hasConfirmations;
  const suppressions = createSuppressions(core);
  const notices = createNotices(core, suppressions, offered);
  const queue = createMailQueue(core, offered);
  const schedule = createReadSchedule(core);
  const counters = declareMails(core.declare, async () =>
    hasTicketMails
      ? { due: await queue.countDue(), followed: await schedule.count() }
      : { due: 0, followed: 0 },
  );

  const kept = keptMailsPart(core, set.RETENTION_MAILS_DAYS);
  const incoming =
    mailer && set.MAIL_IN !== undefined
      ? createIncoming(core, { values: set, mailer, suppressions, notices, counters })
      : null;

  const always: Omit<MailsPart, 'job'> = {
    ...kept,
    ...incoming?.part,
    chores: [...kept.chores, ...(incoming?.part.chores ?? [])],
    incoming,
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
    routes: (port) => ({
      [unsubscribePath]: unsubscribeRoutes(core, suppressions, notices, port),
      ...incoming?.part.routes(),
    }),
  };
  if (!mailer || !hasTicketMails) return { ...always, job: null };

  const reader = createBackgroundReader(core, schedule, notices, onError);
  const { readThread } = reader;
  const mail = createMailing(core, {
    queue,
    suppressions,
    notices,
    mailer,
    replyTokens: incoming?.tokens ?? null,
    readThread,
    counters,
  });
  const reading = offered.answerAfterMs === null ? null : { schedule, reader };
  const job = createJob(core, { queue, mail, reading, onError });

  return {
    ...always,
    job,
    settled: reader.settled,
    wantsNotify: true,
    ...(offered.answerAfterMs !== null && {
      site(language: string) {
        const { notify, answerMail } = sentencesOf(language).site;
        return { sentences: { notify, answerMail } };
      },
    }),
    onOpened: notices.addOpened,
    onRead: (ticketId, thread) => notices.answersSeen(ticketId, countAgentMessages(thread)),
    onHint: (ticketId) => void notices.readSoon(ticketId).then(job.kick, onError),
    onSendChanged(row) {
      incoming?.part.onSendChanged(row);
      const { kind, state, ticket_id: ticketId } = row;
      if (state !== 'done' || ticketId === null) return;
      if (kind === 'message') void notices.customerWrote(ticketId).catch(onError);
      else job.kick();
    },
    async ticketData(ticketIds) {
      const mailed = await notices.mailed(ticketIds);
      return new Map([...mailed].map((id) => [id, { answers_by_mail: true }]));
    },
    async release(beforeMs) {
      await queue.release(beforeMs);
      await always.release?.(beforeMs);
    },
    async start() {
      job.start();
      await always.start?.();
    },
    async stop() {
      await Promise.all([job.stop(), always.stop?.()]);
    },
  };
}

/** The mailer of the operator's settings. Null without a mail server: then the mail library is not loaded. */
async function openMailer(
  { config, log }: Core,
  { SMTP_URL: url, MAIL_FROM: from, MAIL_REPLY_TO: replyTo }: ValuesOf<typeof mailSettings.shape>,
): Promise<Mailer | null> {
  if (url === undefined) return null;
  const { createMailer } = await import('./mailer.ts');
  const { brand, brandColor, brandLogo, publicUrl } = config;
  return createMailer({ url, from: from!, replyTo, brand, brandColor, brandLogo, publicUrl, log });
}
