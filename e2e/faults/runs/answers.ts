import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { type Dovecot, startDovecot } from '../../../scripts/dovecot.ts';
import { type FakeService, startFakeService } from '../../../scripts/fake-service.ts';
import { startMailServer, type TestMailServer } from '../../../scripts/mail-server.ts';
import { startPostgres } from '../../../scripts/postgres.ts';
import { type ReadMail, readMail } from '../../../scripts/read-mail.ts';
import { answerTo, mailPrograms } from '../../support/mail-programs.ts';
import { judgeAnswers } from '../judging/judge-answers.ts';
import { createRandom, type Random } from '../schedules/random.ts';
import { type Bff, startBff } from '../servers/bff.ts';
import type { FaultBuild } from '../servers/build.ts';
import { fastPace, startTime } from '../time/time.ts';
import { automaticAnswers, automaticInCorpus } from './automatic-mails.ts';
import {
  type Customer,
  type MailRun,
  mailSettings,
  openMailedTicket,
  retryFor,
  tellOfAnswers,
} from './mail-customers.ts';

export interface AnswersAsked {
  seed: number;
  customers: number;
  /** How often each customer answers. */
  each: number;
  /** Several of them share a PostgreSQL server. */
  instances: number;
  /** How often something is killed or goes away. */
  disturbances: number;
}

/** So long may all of it take. */
const patienceMs = 600_000;
const apiKey = 'a-key-of-the-bench';
const mailbox = 'support@shop.test';

const settings = {
  ...mailSettings,
  MAIL_FROM: `Shop <${mailbox}>`,
  MAIL_REPLY_TO: 'support+{token}@shop.test',
  NOTIFY_AFTER_MS: '1',
  UPSTREAM_TIMEOUT_MS: '2000',
  SETTLE_MS: '3000',
};
/** Where the first, second, … process of an instance ends itself. The number counts the mails of the process. */
const failpoints = ['mail_taken:3', 'mail_recorded:2', 'mail_taken:5', 'answered:4', 'mail_recorded:7'];

interface Servers extends MailRun {
  bffs: readonly Bff[];
  service: FakeService;
  sink: TestMailServer;
  dovecot: Dovecot;
  /** By what has ended or was away. */
  breaks: Map<string, number>;
  stop(): Promise<void>;
}

async function startServers(built: FaultBuild, { instances }: AnswersAsked): Promise<Servers> {
  const stops: (() => Promise<void>)[] = [];
  async function started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    stops.unshift(() => server.stop());
    return server;
  }
  const breaks = new Map<string, number>();
  const count = (what: string) => breaks.set(what, (breaks.get(what) ?? 0) + 1);
  const stop = async () => {
    for (const each of stops) await each();
  };
  try {
    const service = await started(startFakeService());
    const sink = await started(startMailServer());
    const dovecot = await started(startDovecot());
    const shared =
      instances > 1
        ? {
            DATABASE_URL: (await started(startPostgres())).url,
            SECRET_KEY: crypto.randomUUID() + crypto.randomUUID(),
          }
        : {};
    const bffs: Bff[] = [];
    for (let nth = 0; nth < instances; nth += 1)
      bffs.push(
        await started(
          startBff({
            entry: built.bff,
            secrets: [apiKey],
            failpoints: nth === 0 ? failpoints : failpoints.toReversed(),
            onDeath: (cause) => count(`BFF: ${cause}`),
            settings: {
              ...settings,
              ...shared,
              SMTP_URL: sink.url,
              MAIL_IN: dovecot.mailbox(mailbox).url,
              SUPPORT_API_URL: service.url,
              SUPPORT_API_KEY: apiKey,
            },
          }),
        ),
      );
    const dispatcher = new Agent();
    stops.push(() => dispatcher.destroy());
    // A request goes to one that is up.
    const bff: Bff = { ...bffs[0]!, url: () => bffs.map((each) => each.url()).find(Boolean) ?? null };
    const until = retryFor(patienceMs, bffs);
    const time = startTime(fastPace(1));
    return { bff, bffs, time, dispatcher, until, service, sink, dovecot, breaks, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A customer, and the mail that an answer waits. */
interface Mailed extends Customer {
  mail: ReadMail;
  raw: string;
}

/** Lets an agent answer every ticket. Resolves when each customer has the mail about it. */
async function mailAll(all: readonly Customer[], servers: Servers): Promise<Mailed[]> {
  const { service, sink, until } = servers;
  for (const { ticketId, answer } of all) service.addMessage(ticketId, 'agent', answer);
  await tellOfAnswers(all, servers);
  return Promise.all(
    all.map(async (customer) => {
      const sent = await until(async () => sink.mails.find(({ to }) => to[0] === customer.email));
      return { ...customer, mail: await readMail(sent), raw: sent.text };
    }),
  );
}

/** Delivers a mail to where it goes, again until the mail server has taken it. */
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
  'BFF: kill': async ({ bffs }, random) => random.pick(bffs).kill(),
  async 'mailbox: away'({ dovecot }, random) {
    await dovecot.halt();
    await sleep(random.between(200, 1_500));
    await dovecot.resume();
  },
  async 'service: away'({ service }, random) {
    service.answer = () => new Error('away');
    await sleep(random.between(200, 2_000));
    service.answer = undefined;
  },
};

async function disturb(servers: Servers, { seed, disturbances: times }: AnswersAsked): Promise<void> {
  const random = createRandom(seed);
  const names = Object.keys(disturbances);
  for (let nth = 0; nth < times; nth += 1) {
    await sleep(random.between(500, 3_000));
    const name = names[nth % names.length]!;
    await disturbances[name]!(servers, random);
    if (!name.startsWith('BFF')) servers.breaks.set(name, (servers.breaks.get(name) ?? 0) + 1);
  }
}

/**
 * Customers answer mails, as mail programs write it, while the BFF is killed, and mailbox and service go away. Machines
 * answer too. Returns what is wrong with what has reached the service, and a report.
 */
export async function runAnswers(
  built: FaultBuild,
  asked: AnswersAsked,
): Promise<{ report: string; wrong: string[]; unreached: string[] }> {
  const servers = await startServers(built, asked);
  const { service, sink, until } = servers;
  try {
    const opened: Customer[] = [];
    for (let n = 0; n < asked.customers; n += 1) opened.push(await openMailedTicket(n, servers));
    const mailed = await mailAll(opened, servers);
    const tickets = mailed.map((customer, n) => ({
      ...customer,
      answers: Array.from({ length: asked.each }, (_, k) => `Answer ${k} of customer ${n}.`),
    }));
    const programs = Object.keys(mailPrograms);
    let automatic = 0;

    async function answer({ mail, raw, email, answers }: (typeof tickets)[number], n: number): Promise<void> {
      for (const [k, words] of answers.entries()) {
        const program = programs[(n + k) % programs.length]!;
        await deliver(await answerTo(mail, program, { from: `Customer <${email}>`, words }), servers);
        await sleep(200);
      }
      if (n % 5 > 0) return;
      for (const each of await automaticAnswers(mail, raw)) {
        automatic += 1;
        await deliver(each, servers);
      }
    }
    async function answerInCorpus(): Promise<void> {
      for (const each of await automaticInCorpus()) {
        automatic += 1;
        await deliver(each, servers);
      }
    }

    const startedAt = Date.now();
    const disturbed = disturb(servers, asked);
    await Promise.all([...tickets.map(answer), answerInCorpus()]);
    await disturbed;
    const bodiesOf = (id: string) =>
      service.tickets
        .get(id)!
        .messages.filter((each) => each.author_type === 'customer')
        .map(({ body }) => body);
    await until(async () => {
      const bodies = tickets.flatMap(({ ticketId }) => bodiesOf(ticketId));
      return bodies.length >= asked.customers * asked.each;
    });
    const tookMs = Date.now() - startedAt;
    // What must not come has time to come.
    await sleep(5_000);
    const delivered = [...service.tickets.keys()].map((id) => ({ id, bodies: bodiesOf(id) }));
    const mailedTo = sink.mails.flatMap(({ to }) => to);
    const breaks = [...servers.breaks].map(([what, times]) => `${times} × ${what}`);
    return {
      wrong: [
        ...judgeAnswers(tickets, delivered, mailedTo),
        ...servers.bffs.flatMap(({ crashes }) => crashes),
      ],
      unreached: [
        ...Object.keys(disturbances),
        ...failpoints.map((point) => `BFF: failpoint ${point.split(':')[0]}`),
      ].filter((name) => !servers.breaks.has(name)),
      report: [
        `${asked.customers * asked.each} answers in ${asked.customers} tickets within ${Math.round(tookMs / 1_000)} s, by ${asked.instances} instances`,
        `${automatic} automatic mails; ${breaks.join(', ')}`,
      ].join('\n'),
    };
  } finally {
    await servers.stop();
  }
}
