import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { identitySecret, identityToken } from '../../../scripts/identity-token.ts';
import { paths } from '../../../shared/contract/paths.ts';
import type { Ticket } from '../../../shared/contract/tickets.ts';
import { type Browser, createBrowser } from '../customers/browser.ts';
import type { MailedCustomer } from '../judging/judge-mails.ts';
import type { Bff } from '../servers/bff.ts';
import type { Time } from '../time/time.ts';

const hookSecret = 'the secret of the webhook';
const publicUrl = 'http://support.test';

/** Of every BFF of these runs. */
export const mailSettings = {
  NOTIFY_EMAIL: 'on',
  IDENTITY_SECRET: identitySecret,
  WEBHOOK_SECRET: hookSecret,
  PUBLIC_URL: publicUrl,
  UPSTREAM_READS_PER_S: '1000',
};

export interface Customer extends MailedCustomer {
  browser: Browser;
  ticketId: string;
  /** Reads the answer at once. */
  isReader: boolean;
}

export interface MailRun {
  bff: Bff;
  time: Time;
  dispatcher: Dispatcher;
  /** Retries until there is a result, because a BFF that is down is soon back. */
  until: <T>(attempt: () => Promise<T | null | undefined | false>) => Promise<T>;
}

/** Makes `until` of a run, which fails `patienceMs` from now. */
export function retryFor(patienceMs: number, bffs: readonly Bff[]): MailRun['until'] {
  const endsAt = Date.now() + patienceMs;
  return async (attempt) => {
    for (;;) {
      const result = await attempt();
      if (result) return result;
      const lines = bffs.flatMap((each) => each.lines.slice(-60));
      if (Date.now() > endsAt) throw new Error(`too slow, or it hangs:\n${lines.join('\n')}`);
      await sleep(50);
    }
  };
}

async function signIn(browser: Browser, email: string, run: MailRun): Promise<void> {
  await run.until(async () => {
    const token = await identityToken(email, publicUrl, {}, run.time.now());
    const answer = await browser.ask('POST', paths.identity, { body: { token } });
    return answer?.status === 200;
  });
}

/** Opens a ticket and asks for mails. The number decides what kind of customer it is. */
export async function openMailedTicket(number: number, run: MailRun): Promise<Customer> {
  const { bff, time, dispatcher, until } = run;
  const email = `customer-${number}@example.com`;
  const address = `203.0.${number >> 8}.${number & 255}`;
  const browser = createBrowser({ bffUrl: bff.url, address, time, dispatcher });
  const isProven = number % 5 === 1;
  if (isProven) await signIn(browser, email, run);
  const key = randomUUID();
  const body = { subject: 'Lid', description: `Words of ${number}.`, customer_email: email, notify: true };
  const ticketId = await until(async () => {
    const answer = await browser.ask<Ticket>('POST', paths.tickets, { key, body });
    // After a kill the BFF may not know whether it was sent: the list of the service shows only the newest tickets.
    if (answer?.data?.can_retry) await browser.ask('POST', paths.retry(key), { body: {} });
    return answer?.data?.id;
  });
  return {
    email,
    isProven,
    isReader: number % 4 === 0,
    readAt: null,
    isSilent: number % 20 === 3,
    answer: `Answer to ${number}.`,
    browser,
    ticketId,
  };
}

/** Posts from outside of a browser: as the service's webhook, or as a mail program does. */
async function postUntilTaken(path: string, body: string, { bff, dispatcher, until }: MailRun) {
  await until(async () => {
    const url = bff.url();
    if (!url) return false;
    const answer = await request(url + path, { method: 'POST', body, dispatcher }).catch(() => null);
    await answer?.body.dump();
    return answer !== null && answer.statusCode < 300;
  });
}

/** The service's webhook tells of answers in all tickets of these customers. */
export async function tellOfAnswers(all: readonly Customer[], run: MailRun): Promise<void> {
  for (let at = 0; at < all.length; at += 20) {
    const ids = all.slice(at, at + 20).map(({ ticketId }) => ticketId);
    await postUntilTaken(`${paths.hooks}/${hookSecret}`, JSON.stringify(ids), run);
  }
}

/** Uses the link to end mails, once it has come. */
export async function endMails(
  { email }: Customer,
  mails: readonly { to: string[]; text: string }[],
  run: MailRun,
): Promise<void> {
  const link = await run.until(async () => {
    const confirmation = mails.find(({ to }) => to[0] === email);
    return confirmation && /^List-Unsubscribe:\s*<([^>]+)>/im.exec(confirmation.text)?.[1];
  });
  await postUntilTaken(new URL(link).pathname, 'List-Unsubscribe=One-Click', run);
}

export async function readAnswer(customer: Customer, messageId: string, { until }: MailRun): Promise<void> {
  const { browser, ticketId } = customer;
  await until(async () => {
    const answer = await browser.ask('POST', paths.read(ticketId), { body: { message_id: messageId } });
    return answer?.status === 200;
  });
  customer.readAt = Date.now();
}
