import type { StoredMail } from '../../../../shared/contract/customer-data.ts';
import { mailHookPath } from '../../../../shared/contract/paths.ts';
import { isoTime } from '../../../core/clock.ts';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../core/http/context.ts';
import type { Part } from '../../../core/part.ts';
import type { OperationRow } from '../../../core/store/schema.ts';
import type { ValuesOf } from '../../../core/settings/settings.ts';
import type { Core } from '../../../core/wiring.ts';
import type { Mailer } from '../mailer.ts';
import type { MailCounters } from '../metrics.ts';
import type { Notices } from '../notices.ts';
import type { mailSettings } from '../settings.ts';
import type { Suppressions } from '../suppressions.ts';
import { createActing } from './act.ts';
import { mailHookRoutes } from './hook.ts';
import { createInbox } from './inbox.ts';
import { readImapAddress } from './imap-address.ts';
import type { MailSource } from './imap.ts';
import { createMailbox } from './mailbox.ts';
import { createMailInJob } from './job.ts';
import { createReplyTokens, type Tokens } from './reply-tokens.ts';

/* Connects all that has to do with mails that come in. */

type MailValues = ValuesOf<(typeof mailSettings)['shape']>;

/** Reads what is kept of a mail. Undefined for what cannot be read. */
async function storedMail({ receivedAt, raw }: { receivedAt: number; raw: Uint8Array }): Promise<StoredMail> {
  const { readMail } = await import('./read-mail.ts');
  const mail = await readMail(raw).catch(() => null);
  return {
    received_at: isoTime(receivedAt),
    from: mail?.from?.address ?? null,
    subject: mail?.subject ?? null,
    text: mail?.whole ?? null,
  };
}

/** What is kept of mails, whether more come in or not. */
export function createKept(core: Core, values: Pick<MailValues, 'RETENTION_MAILS_DAYS'>) {
  const inbox = createInbox(core, { keepMs: values.RETENTION_MAILS_DAYS });
  const part = {
    chores: [inbox.eraseOld, inbox.removeOld],
    async sendData(operationIds) {
      const found = new Map<string, { mail: StoredMail }>();
      for (const { operationId, ...kept } of await inbox.ofSends(operationIds))
        found.set(operationId, { mail: await storedMail(kept) });
      return found;
    },
    async addressData(addressHash) {
      const mails: StoredMail[] = [];
      for (const kept of await inbox.ofSender(addressHash)) mails.push(await storedMail(kept));
      return mails.length > 0 ? { mails } : {};
    },
    onForget: inbox.forget,
    release: inbox.release,
  } satisfies Part;
  return { inbox, part };
}

export interface Incoming {
  tokens: Tokens;
  /** The store has the mail once this resolves. */
  take: (raw: Uint8Array) => Promise<void>;
  job: ReturnType<typeof createMailInJob>;
  part: {
    routes: () => Record<string, Hono<AppEnv>>;
    onSendChanged: (row: OperationRow) => void;
    release: (beforeMs: number) => Promise<void>;
    chores: NonNullable<Part['chores']>;
  };
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

export function createIncoming(
  core: Core,
  deps: {
    values: MailValues;
    inbox: ReturnType<typeof createKept>['inbox'];
    mailer: Pick<Mailer, 'tellSender'>;
    suppressions: Suppressions;
    notices: Notices;
    counters: Pick<MailCounters, 'mailsIn'>;
  },
): Incoming {
  const { values, inbox, mailer, suppressions, notices, counters } = deps;
  const { log, report } = core;
  const { MAIL_IN: from, MAIL_FROM: sender, MAIL_REPLY_TO: replyTo } = values;
  const tokens = createReplyTokens(core, replyTo ?? sender!);
  const act = createActing(core, {
    tokens,
    suppressions,
    notices,
    // Most processes of a command, and a server without mails, need no parser.
    read: async (raw) => (await import('./read-mail.ts')).readMail(raw),
    tell: mailer.tellSender,
    options: {
      server: values.MAIL_IN_SERVER,
      needsDmarc: values.MAIL_IN_REQUIRE === 'dmarc',
      opensTickets: values.MAIL_IN_NEW === 'on',
      ownAddress: sender!.address,
    },
  });
  const onAside = () => log.report('mail_set_aside');
  const job = createMailInJob(core, {
    inbox,
    act,
    onResult: (result) => counters.mailsIn.inc({ result }),
    onAside,
    onError: report('mails_in_failed'),
  });
  async function take(raw: Uint8Array): Promise<void> {
    const taken = await inbox.take(raw);
    counters.mailsIn.inc({ result: taken === 'known' ? 'repeated' : 'taken' });
    if (taken === 'aside') onAside();
    if (taken === 'waiting') job.kick();
  }
  const address = from === undefined || from === 'hook' ? null : readImapAddress(from);
  const mailbox = address && { address, ...createMailbox(core, address) };
  let source: MailSource | undefined;

  return {
    tokens,
    take,
    job,
    part: {
      chores: [tokens.removeOld],
      routes: () => ({
        ...(from === 'hook' && {
          [mailHookPath]: mailHookRoutes(core, { secrets: values.MAIL_IN_SECRET ?? [], take }),
        }),
      }),
      async release(beforeMs) {
        await inbox.release(beforeMs);
        await mailbox?.release();
      },
      onSendChanged({ id, state }) {
        if (state !== 'rejected') return;
        void inbox.refused(id).then((isMail) => isMail && onAside(), report('mails_in_failed'));
      },
    },
    async start() {
      job.start();
      if (!mailbox) return;
      const { createImapSource } = await import('./imap.ts');
      source = createImapSource({ ...mailbox, take, log, elapsed: core.elapsed });
      source.start();
    },
    async stop() {
      await source?.stop();
      await mailbox?.leave();
      await job.stop();
    },
  };
}
