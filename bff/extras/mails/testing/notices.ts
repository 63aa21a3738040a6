import { startMailServer } from '../../../../scripts/mail-server.ts';
import { paths } from '../../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../../testing/bff.ts';
import type { TestBrowser } from '../../../testing/browser.ts';
import { withIdentity } from '../../../testing/identity.ts';
import { readMail } from '../../../../scripts/read-mail.ts';
import type { MailsPart } from '../extra.ts';
import { valueOf } from '../../../testing/metrics.ts';

const minuteMs = 60_000;
/** How long an answer waits. */
export const afterMs = 5 * minuteMs;
export const ada = 'ada@example.com';

/** The extra of a running BFF. */
export const mailsOf = (bff: Pick<TestBff, 'extras'>) => bff.extras.get('mails') as MailsPart;

type Settings = Parameters<typeof startBff>[0];

/** A BFF that mails answers through a mail server on loopback, which the test controls. */
export async function startNotifying(settings: Settings = {}) {
  const mail = await startMailServer();
  const start = (more: Settings = {}) =>
    startBff({
      ...withIdentity,
      // The tests themselves send what is due.
      notStarted: ['mails'],
      ...settings,
      ...more,
      values: {
        SMTP_URL: mail.url,
        MAIL_FROM: { name: 'Acme', address: 'support@shop.test' },
        NOTIFY_EMAIL: 'on',
        NOTIFY_AFTER_MS: afterMs,
        ...settings.values,
        ...more.values,
      },
    });
  const bff = await start();
  const pass = () => mailsOf(bff).job!.pass();
  const advance = (ms: number) => void (bff.clock.offsetMs += ms);
  return {
    bff,
    mail,
    /** Starts another BFF with the same mail server. */
    start,
    mails: () => Promise.all(mail.mails.map(readMail)),
    pass,
    passes: advance,

    /** Opens a ticket whose customer wants mails. Returns its id. */
    async opened(browser: TestBrowser = bff.browser(), more: object = {}): Promise<string> {
      const { data } = await browser.openTicket({ notify: true, ...more });
      return data.id;
    },

    /** Lets an agent answer, and the ticket be read. Returns the id of the message. */
    async answer(ticketId: string, text = 'Send us a picture.'): Promise<string> {
      const { id } = bff.service.addMessage(ticketId, 'agent', text);
      await bff.threads.refresh(ticketId);
      return id;
    },

    /** Lets time pass, and sends all mails that are due then. */
    async wait(ms = afterMs): Promise<void> {
      advance(ms);
      await pass();
    },

    markRead: (browser: TestBrowser, ticketId: string, messageId: string) =>
      browser.request('POST', paths.read(ticketId), { message_id: messageId }),

    /** The number of mails with this result. */
    count: async (result: string, kind = 'answer') =>
      valueOf(
        await bff.metrics.registry.metrics(),
        `deskside_ticket_mails_total{kind="${kind}",result="${result}"}`,
      ),

    async stop(): Promise<void> {
      await bff.stop();
      await mail.stop();
    },
  };
}

export type Notifying = Awaited<ReturnType<typeof startNotifying>>;
