import { startMailServer } from '../../scripts/mail-server.ts';
import { paths } from '../contract/paths.ts';
import { startBff } from './bff.ts';
import type { TestBrowser } from './browser.ts';
import { withIdentity } from './identity.ts';
import { readMail } from '../../scripts/read-mail.ts';
import { valueOf } from './metrics.ts';

const minuteMs = 60_000;
/** How long an answer waits. */
export const afterMs = 5 * minuteMs;
export const ada = 'ada@example.com';

type Settings = Parameters<typeof startBff>[0];

/** A BFF that mails answers through a mail server on loopback, which the test controls. */
export async function startNotifying(settings: Settings = {}) {
  const mail = await startMailServer();
  const start = (more: Settings = {}) =>
    startBff({
      ...withIdentity,
      mail: { url: mail.url, from: 'Acme <support@shop.test>' },
      notifications: { afterMs },
      ...settings,
      ...more,
    });
  const bff = await start();
  const pass = () => bff.notices.job!.pass();
  const advance = (ms: number) => void (bff.clock.offsetMs += ms);
  return {
    bff,
    mail,
    /** Starts another BFF with the same mail server. */
    start,
    mails: () => mail.mails.map(readMail),
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
