import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Dovecot, startDovecot } from '../../../scripts/dovecot.ts';
import { type FakeService, startFakeService } from '../../../scripts/fake-service.ts';
import { startMailServer, type TestMailServer } from '../../../scripts/mail-server.ts';
import { type ReadMail, readMail } from '../../../scripts/read-mail.ts';
import { paths } from '../../../shared/contract/paths.ts';
import type { Ticket } from '../../../shared/contract/tickets.ts';
import { answerTo, mailPrograms } from '../../support/mail-programs.ts';
import { createBrowser } from '../customers/browser.ts';
import { type AnsweredTicket, judgeAnswers } from '../judging/judge-answers.ts';
import { countBy } from '../report.ts';
import { createRandom, type Random } from '../schedules/random.ts';
import { type Bff, startBff } from '../servers/bff.ts';
import type { FaultBuild } from '../servers/build.ts';

export interface AnswersAsked {
  seed: number;
  customers: number;
  /** How often each customer answers. */
  each: number;
  /** How often something is killed or goes away. */
  disturbances: number;
}

/** So long may all of it take. */
const patienceMs = 600_000;
const apiKey = 'a-key-of-the-bench';
const hookSecret = 'the secret of the webhook';
const mailbox = 'support@shop.test';

const settings = {
  NOTIFY_EMAIL: 'on',
  WEBHOOK_SECRET: hookSecret,
  PUBLIC_URL: 'http://support.test',
  UPSTREAM_READS_PER_S: '1000',
  MAIL_FROM: `Shop <${mailbox}>`,
  MAIL_REPLY_TO: 'support+{token}@shop.test',
  NOTIFY_AFTER_MS: '1',
  UPSTREAM_TIMEOUT_MS: '2000',
  SETTLE_MS: '3000',
};
/**
 * Where the first, second, … process ends itself: right after the mail server's 250, and at the steps of an answer. The
 * number counts the mails of the process.
 */
const failpoints = [
  'mailed:2',
  'mail_taken:3',
  'mail_recorded:2',
  'mail_taken:5',
  'answered:4',
  'mail_recorded:7',
];

interface Servers {
  bff: Bff;
  service: FakeService;
  sink: TestMailServer;
  dovecot: Dovecot;
  dispatcher: Agent;
  /** What has ended or was away, as often as it was. */
  breaks: string[];
  /** Retries until there is a result, because a server that is down is soon back. */
  until: <T>(attempt: () => Promise<T | null | undefined | false>) => Promise<T>;
  stop(): Promise<void>;
}

async function startServers(built: FaultBuild): Promise<Servers> {
  const dispatcher = new Agent();
  const stops: (() => Promise<void>)[] = [() => dispatcher.destroy()];
  async function started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    stops.unshift(() => server.stop());
    return server;
  }
  const stop = async () => {
    for (const each of stops) await each();
  };
  try {
    const service = await started(startFakeService());
    const sink = await started(startMailServer());
    const dovecot = await started(startDovecot());
    const breaks: string[] = [];
    const bff = await started(
      startBff({
        entry: built.bff,
        secrets: [apiKey],
        failpoints,
        onDeath: (cause) => breaks.push(`BFF: ${cause}`),
        settings: {
          ...settings,
          SMTP_URL: sink.url,
          MAIL_IN: dovecot.mailbox(mailbox).url,
          SUPPORT_API_URL: service.url,
          SUPPORT_API_KEY: apiKey,
        },
      }),
    );
    const endsAt = Date.now() + patienceMs;
    const until: Servers['until'] = async (attempt) => {
      for (; ; await sleep(50)) {
        const result = await attempt();
        if (result) return result;
        if (Date.now() > endsAt)
          throw new Error(`too slow, or it hangs:\n${bff.lines.slice(-60).join('\n')}`);
      }
    };
    return { bff, service, sink, dovecot, dispatcher, breaks, until, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A ticket, and the mail that an answer waits. */
interface Mailed extends AnsweredTicket {
  mail: ReadMail;
}

/** A customer opens a ticket and asks for mails. */
async function openTicket(number: number, each: number, run: Servers): Promise<AnsweredTicket> {
  const { bff, dispatcher, until } = run;
  const email = `customer-${number}@example.com`;
  const address = `203.0.113.${number + 1}`;
  const browser = createBrowser({ bffUrl: bff.url, address, dispatcher });
  const key = randomUUID();
  const body = { subject: 'Lid', description: `Words of ${number}.`, customer_email: email, notify: true };
  const ticketId = await until(async () => {
    const answer = await browser.ask<Ticket>('POST', paths.tickets, { key, body });
    // After a kill the BFF may not know whether it was sent: the list of the service shows only the newest tickets.
    if (answer?.data?.can_retry) await browser.ask('POST', paths.retry(key), { body: {} });
    return answer?.data?.id;
  });
  const answers = Array.from({ length: each }, (_, nth) => `Answer ${nth} of customer ${number}.`);
  return { email, ticketId, answers };
}

/** Lets an agent answer every ticket. Resolves when each customer has the mail about it. */
async function mailAll(all: readonly AnsweredTicket[], servers: Servers): Promise<Mailed[]> {
  const { bff, service, sink, dispatcher, until } = servers;
  for (const { ticketId } of all) service.addMessage(ticketId, 'agent', 'Which lid?');
  for (let at = 0; at < all.length; at += 20) {
    const body = JSON.stringify(all.slice(at, at + 20).map(({ ticketId }) => ticketId));
    await until(async () => {
      const url = bff.url();
      if (!url) return false;
      const hook = `${url}${paths.hooks}/${hookSecret}`;
      const answer = await request(hook, { method: 'POST', body, dispatcher }).catch(() => null);
      await answer?.body.dump();
      return answer !== null && answer.statusCode < 300;
    });
  }
  return Promise.all(
    all.map(async (ticket) => {
      const sent = await until(async () => sink.mails.find(({ to }) => to[0] === ticket.email));
      return { ...ticket, mail: await readMail(sent) };
    }),
  );
}

/** Delivers an answer to where it goes, again until the mail server has taken it. */
async function deliver(raw: Buffer, { dovecot, until }: Servers): Promise<void> {
  const detail = /support\+([a-z2-7]{32})@/.exec(raw.toString('latin1'))?.[1];
  await until(() =>
    dovecot
      .mailbox(mailbox)
      .deliver(raw, detail)
      .then(
        () => true,
        () => false,
      ),
  );
}

const disturbances: Record<string, (servers: Servers, random: Random) => Promise<void>> = {
  'BFF: kill': async ({ bff }) => bff.kill(),
  async 'mailbox: away'({ dovecot, breaks }, random) {
    breaks.push('mailbox: away');
    await dovecot.halt();
    await sleep(random.between(200, 1_500));
    await dovecot.resume();
  },
  async 'service: away'({ service, breaks }, random) {
    breaks.push('service: away');
    service.answer = () => new Error('away');
    await sleep(random.between(200, 2_000));
    service.answer = undefined;
  },
};

async function disturb(servers: Servers, { seed, disturbances: times }: AnswersAsked): Promise<void> {
  const random = createRandom(seed);
  const all = Object.values(disturbances);
  for (let nth = 0; nth < times; nth += 1) {
    await sleep(random.between(500, 3_000));
    await all[nth % all.length]!(servers, random);
  }
}

/**
 * Customers answer mails, as mail programs write it, while the BFF is killed, and mailbox and service go away. Returns what
 * is wrong with what has reached the service and the customers, and a report.
 */
export async function runAnswers(
  built: FaultBuild,
  asked: AnswersAsked,
): Promise<{ report: string; wrong: string[]; unreached: string[] }> {
  const servers = await startServers(built);
  const { bff, service, sink, until, breaks } = servers;
  try {
    const opened: AnsweredTicket[] = [];
    for (let n = 0; n < asked.customers; n += 1) opened.push(await openTicket(n, asked.each, servers));
    const tickets = await mailAll(opened, servers);
    const programs = Object.keys(mailPrograms);

    async function answer({ mail, email, answers }: Mailed, n: number): Promise<void> {
      for (const [k, words] of answers.entries()) {
        const program = programs[(n + k) % programs.length]!;
        await deliver(await answerTo(mail, program, { from: `Customer <${email}>`, words }), servers);
        await sleep(200);
      }
    }

    const startedAt = Date.now();
    await Promise.all([...tickets.map(answer), disturb(servers, asked)]);
    const delivered = () =>
      Array.from(service.tickets.values(), ({ id, messages }) => ({
        id,
        bodies: messages.filter((each) => each.author_type === 'customer').map(({ body }) => body),
      }));
    const wanted = asked.customers * asked.each;
    await until(async () => delivered().flatMap(({ bodies }) => bodies).length >= wanted);
    const tookMs = Date.now() - startedAt;
    // What must not come has time to come.
    await sleep(5_000);
    const mails = await Promise.all(
      sink.mails.map(async (mail) => ({ to: mail.to[0]!, id: (await readMail(mail)).header('Message-ID')! })),
    );
    const counts = countBy(breaks);
    return {
      wrong: [...judgeAnswers(tickets, delivered(), mails), ...bff.crashes],
      unreached: [
        ...Object.keys(disturbances),
        ...failpoints.map((point) => `BFF: failpoint ${point.split(':')[0]}`),
      ].filter((name) => !counts.has(name)),
      report: [
        `${wanted} answers in ${asked.customers} tickets within ${Math.round(tookMs / 1_000)} s`,
        [...counts].map(([what, times]) => `${times} × ${what}`).join(', '),
      ].join('\n'),
    };
  } finally {
    await servers.stop();
  }
}
