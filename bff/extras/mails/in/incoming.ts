import { mailHookPath } from '../../../../shared/contract/paths.ts';
import type { Part } from '../../../core/part.ts';
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
import { createImapSource, type MailSource } from './imap.ts';
import { createMailbox } from './mailbox.ts';
import { createMailInJob } from './job.ts';
import { createReplyTokens } from './reply-tokens.ts';

/* Connects all that has to do with mails that come in. */

type MailValues = ValuesOf<(typeof mailSettings)['shape']>;

export function createIncoming(
  core: Core,
  deps: {
    values: MailValues;
    mailer: Pick<Mailer, 'tellSender'>;
    suppressions: Suppressions;
    notices: Notices;
    counters: Pick<MailCounters, 'mailsIn'>;
  },
) {
  const { values, mailer, suppressions, notices, counters } = deps;
  const { log, report } = core;
  const inbox = createInbox(core);
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
    /** The store has the mail once this resolves. */
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
      onSendChanged({ state }) {
        if (state === 'rejected') job.kick();
      },
      async start() {
        job.start();
        if (!mailbox) return;
        source = createImapSource({ ...mailbox, take, log, elapsed: core.elapsed });
        source.start();
      },
      async stop() {
        await source?.stop();
        await mailbox?.leave();
        await job.stop();
      },
    } satisfies Part,
  };
}

export type Incoming = ReturnType<typeof createIncoming>;
