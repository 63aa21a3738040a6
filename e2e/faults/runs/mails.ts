import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { Agent, request } from 'undici';
import { paths } from '../../../bff/contract/paths.ts';
import { startMailServer } from '../../../scripts/mail-server.ts';
import { startAnsweringService } from '../servers/answering-service.ts';
import { startBff } from '../servers/bff.ts';
import { type Browser, createBrowser } from '../customers/browser.ts';
import type { FaultBuild } from '../servers/build.ts';
import { judgeMails, type MailedCustomer } from '../judging/judge-mails.ts';
import { createRandom } from '../schedules/random.ts';
import { fastPace, startTime } from '../time/time.ts';

const speed = 4;
const customers = 200;
const kills = 3;
const outages = 2;
/** Deaths right behind the mail server's 250; the number is that of the mail in the life of the process. */
const failpoints = ['mailed:23', 'mailed:41', 'mailed:67', 'mailed:11', 'mailed:29'];
const patienceMs = 120_000;
const hookSecret = 'the secret of the webhook';
const identitySecret = 'an identity secret of 32 bytes or more';
const publicUrl = 'http://support.test';

interface Customer extends MailedCustomer {
  browser: Browser;
  ticketId: string;
  /** Reads the answer at once. */
  isReader: boolean;
}

/**
 * 200 customers want a mail when an answer waits, and a confirmation. The BFF is killed behind a 250 and at other times,
 * and the mail server goes away. What is wrong in the mails that came, and a report.
 */
export async function runMails(
  built: FaultBuild,
  seed: number,
): Promise<{ report: string; wrong: string[] }> {
  const random = createRandom(seed);
  const time = startTime(fastPace(speed));
  const service = await startAnsweringService(time.now);
  const mail = await startMailServer();
  const dispatcher = new Agent();
  /** When a process died, or connections to the mail server were cut. */
  const breaks: number[] = [];
  const bff = await startBff({
    built,
    time,
    upstreamUrl: service.url,
    keys: ['a-key-of-the-bench'],
    failpoints,
    onDeath: () => breaks.push(Date.now()),
    settings: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'support@shop.test',
      NOTIFY_EMAIL: 'on',
      NOTIFY_AFTER_MS: '8000',
      CONFIRM_EMAIL: 'on',
      // A kill may end a send before it leaves: it is sent again in time for its mail.
      SETTLE_MS: '30000',
      IDENTITY_SECRET: identitySecret,
      WEBHOOK_SECRET: hookSecret,
      UPSTREAM_READS_PER_S: '1000',
      LIMIT_REQUESTS_PER_IP: '100000',
      RETENTION_UNVISITED_DAYS: '3650',
    },
  });
  const endsAt = Date.now() + patienceMs;

  /** Until it is done: a BFF that is down is back soon. */
  async function until<T>(attempt: () => Promise<T | null | undefined | false>): Promise<T> {
    for (;;) {
      const result = await attempt();
      if (result) return result;
      if (Date.now() > endsAt) throw new Error(`too slow, or it hangs:\n${bff.lines.join('\n')}`);
      await sleep(50);
    }
  }

  const token = (email: string) =>
    new SignJWT({ email, email_verified: true, sub: email, jti: randomUUID() })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(publicUrl)
      .setIssuedAt(Math.floor(time.now() / 1_000))
      .setExpirationTime(Math.floor(time.now() / 1_000) + 120)
      .sign(new TextEncoder().encode(identitySecret));

  async function come(number: number): Promise<Customer> {
    const email = `customer-${number}@example.com`;
    const browser = createBrowser({
      bffUrl: bff.url,
      address: `203.0.${number >> 8}.${number & 255}`,
      time,
      dispatcher,
    });
    const isProven = number % 5 === 1;
    if (isProven)
      await until(async () => {
        const answer = await browser.ask('POST', paths.identity, { body: { token: await token(email) } });
        return answer?.status === 200;
      });
    const key = randomUUID();
    const body = { subject: 'Lid', description: `Words of ${number}.`, customer_email: email, notify: true };
    const ticketId = await until(async () => {
      const answer = await browser.ask<{ id: string | null }>('POST', paths.tickets, { key, body });
      return answer?.data?.id;
    });
    const [isReader, isSilent] = [number % 4 === 0, number % 20 === 3];
    return {
      email,
      isProven,
      isReader,
      readAt: null,
      isSilent,
      answer: `Answer to ${number}.`,
      browser,
      ticketId,
    };
  }

  const post = (path: string, body: string) =>
    until(async () => {
      const url = bff.url();
      if (!url) return false;
      const answer = await request(url + path, { method: 'POST', body, dispatcher }).catch(() => null);
      await answer?.body.dump();
      return answer !== null && answer.statusCode < 300;
    });

  async function endMails({ email }: Customer): Promise<void> {
    const link = await until(async () => {
      const confirmation = mail.mails.find(({ to }) => to[0] === email);
      return confirmation && /^List-Unsubscribe:\s*<([^>]+)>/im.exec(confirmation.text)?.[1];
    });
    await post(new URL(link).pathname, 'List-Unsubscribe=One-Click');
  }

  async function readAnswer(customer: Customer, messageId: string): Promise<void> {
    const { browser, ticketId } = customer;
    await until(async () => {
      const answer = await browser.ask('POST', paths.read(ticketId), { body: { message_id: messageId } });
      return answer?.status === 200;
    });
    customer.readAt = Date.now();
  }

  async function answerAll(all: readonly Customer[]): Promise<void> {
    const readers = all.filter(({ isReader }) => isReader);
    const messageIds = new Map(all.map((each) => [each, service.reply(each.ticketId, each.answer)]));
    await Promise.all(readers.map((each) => readAnswer(each, messageIds.get(each)!)));
    for (let at = 0; at < all.length; at += 20) {
      const ids = all.slice(at, at + 20).map(({ ticketId }) => ticketId);
      await post(`${paths.hooks}/${hookSecret}`, JSON.stringify(ids));
    }
  }

  async function disturb(): Promise<void> {
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(random.between(300, 1_500));
      bff.kill();
    }
    for (let outage = 0; outage < outages; outage += 1) {
      await sleep(random.between(300, 1_500));
      breaks.push(Date.now());
      await mail.stop();
      await sleep(random.between(500, 1_500));
      await mail.start();
    }
  }

  const dueNow = async () => {
    const url = bff.adminUrl();
    const answer = url && (await request(`${url}/metrics`, { dispatcher }).catch(() => null));
    return answer ? /^deskside_ticket_mails_due (\d+)$/m.exec(await answer.body.text())?.[1] : undefined;
  };

  try {
    const all: Customer[] = [];
    for (let at = 0; at < customers; at += 25)
      all.push(...(await Promise.all(Array.from({ length: 25 }, (_, n) => come(at + n)))));
    await Promise.all(all.filter(({ isSilent }) => isSilent).map(endMails));
    const answersFrom = mail.mails.length;
    const disturbed = disturb();
    await answerAll(all);
    await disturbed;
    const wanted = all.filter(({ isReader, isSilent }) => !isReader && !isSilent);
    await until(async () => {
      const reached = new Set(mail.mails.map(({ to, text }) => `${to[0]} ${/^References:/m.test(text)}`));
      return wanted.every(({ email }) => reached.has(`${email} true`)) && (await dueNow()) === '0';
    });
    // What should not come has had the time to come.
    await time.sleep(20_000);
    const { wrong, repeats } = judgeMails(all, mail.mails, breaks);
    return {
      wrong,
      report: [
        `${all.length} customers, ${wanted.length} of whom were to be mailed; ${mail.mails.length} mails, ${mail.mails.length - answersFrom} since the first answer`,
        `${breaks.length - outages} deaths of the BFF, ${outages} outages of the mail server, ${repeats} mails repeated under their Message-ID`,
      ].join('\n'),
    };
  } finally {
    await bff.stop();
    await mail.stop();
    await service.stop();
    await dispatcher.destroy();
  }
}
