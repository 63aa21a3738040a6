import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startMailServer, type TestMailServer } from '../../../scripts/mail-server.ts';
import { type FakeService, startFakeService } from '../../../scripts/fake-service.ts';
import { startBff } from '../servers/bff.ts';
import type { FaultBuild } from '../servers/build.ts';
import { judgeMails } from '../judging/judge-mails.ts';
import { createRandom } from '../schedules/random.ts';
import { fastPace, startTime } from '../time/time.ts';
import {
  type Customer,
  endMails,
  type MailRun,
  mailSettings,
  openMailedTicket,
  readAnswer,
  retryFor,
  tellOfAnswers,
} from './mail-customers.ts';

const speed = 4;
const customers = 200;
const kills = 3;
const outages = 2;
/** Failpoints right after the mail server's 250. The number counts the mails of the process. */
const failpoints = ['mailed:23', 'mailed:41', 'mailed:67', 'mailed:11', 'mailed:29'];
const patienceMs = 120_000;
const apiKey = 'a-key-of-the-bench';

const settings = {
  ...mailSettings,
  MAIL_FROM: 'support@shop.test',
  NOTIFY_AFTER_MS: '8000',
  CONFIRM_EMAIL: 'on',
  // A kill may interrupt a send before it leaves the BFF. It is sent again in time for its mail.
  SETTLE_MS: '30000',
  RETENTION_UNVISITED_DAYS: '3650',
};

interface Servers extends MailRun {
  service: FakeService;
  mail: TestMailServer;
  /** When a process died, or connections to the mail server were cut. */
  breaks: number[];
  /** Why processes died. */
  deaths: string[];
  /** How many mails the BFF has reported as not answered in time. */
  unanswered: () => number;
  stop(): Promise<void>;
}

async function startServers(built: FaultBuild): Promise<Servers> {
  const time = startTime(fastPace(speed));
  const service = await startFakeService({ now: time.now });
  const mail = await startMailServer();
  const dispatcher = new Agent();
  const breaks: number[] = [];
  const deaths: string[] = [];
  let unanswered = 0;
  const bff = await startBff({
    entry: built.bff,
    secrets: [apiKey],
    clock: { time, preload: built.clock },
    failpoints,
    onDeath(cause) {
      breaks.push(Date.now());
      deaths.push(cause);
    },
    // The BFF waits for the same time even if the disk or the processor was not available for it.
    onLogLine(line) {
      if (line.includes('"cause":"EABORT"')) unanswered += 1;
    },
    settings: {
      ...settings,
      SMTP_URL: mail.url,
      SUPPORT_API_URL: service.url,
      SUPPORT_API_KEY: apiKey,
    },
  });
  return {
    bff,
    time,
    dispatcher,
    until: retryFor(patienceMs, [bff]),
    service,
    mail,
    breaks,
    deaths,
    unanswered: () => unanswered,
    async stop() {
      await bff.stop();
      await mail.stop();
      await service.stop();
      await dispatcher.destroy();
    },
  };
}

async function openAll(run: MailRun): Promise<Customer[]> {
  const all: Customer[] = [];
  for (let at = 0; at < customers; at += 25)
    all.push(...(await Promise.all(Array.from({ length: 25 }, (_, n) => openMailedTicket(at + n, run)))));
  return all;
}

async function answerAll(all: readonly Customer[], servers: Servers): Promise<void> {
  const { service } = servers;
  const readers = all.filter(({ isReader }) => isReader);
  const messageIds = new Map(
    all.map((each) => [each, service.addMessage(each.ticketId, 'agent', each.answer).id]),
  );
  await Promise.all(readers.map((each) => readAnswer(each, messageIds.get(each)!, servers)));
  await tellOfAnswers(all, servers);
}

async function disturb({ bff, mail, breaks }: Servers, seed: number): Promise<void> {
  const random = createRandom(seed);
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

/** Resolves when all of `wanted` have a mail about an answer, and the BFF has no more mails to send. */
async function areAllMailed(wanted: readonly Customer[], { bff, mail, dispatcher }: Servers) {
  const reached = new Set(mail.mails.map(({ to, text }) => `${to[0]} ${/^References:/m.test(text)}`));
  if (!wanted.every(({ email }) => reached.has(`${email} true`))) return false;
  const url = bff.adminUrl();
  const answer = url && (await request(`${url}/metrics`, { dispatcher }).catch(() => null));
  return answer ? /^deskside_ticket_mails_due 0$/m.test(await answer.body.text()) : false;
}

/**
 * 200 customers want a mail when an answer waits, and a confirmation. The BFF is killed after a 250 and at other times,
 * and the mail server becomes unavailable. Returns the errors in the received mails, and a report.
 */
export async function runMails(
  built: FaultBuild,
  seed: number,
): Promise<{ report: string; wrong: string[]; unreached: string[] }> {
  const servers = await startServers(built);
  const { time, until, mail, breaks } = servers;
  try {
    const all = await openAll(servers);
    await Promise.all(
      all.filter(({ isSilent }) => isSilent).map((each) => endMails(each, mail.mails, servers)),
    );
    const answersFrom = mail.mails.length;
    const disturbed = disturb(servers, seed);
    await answerAll(all, servers);
    await disturbed;
    const wanted = all.filter(({ isReader, isSilent }) => !isReader && !isSilent);
    await until(() => areAllMailed(wanted, servers));
    // So that mails that should not be sent have time to arrive.
    await time.sleep(20_000);
    const { wrong, repeats } = await judgeMails(all, mail.mails, breaks, servers.unanswered());
    return {
      wrong: [...wrong, ...servers.bff.crashes],
      unreached: [
        ...(servers.deaths.includes('failpoint mailed') ? [] : ['an end right after a 250']),
        ...(repeats > 0 ? [] : ['a mail that is repeated']),
      ],
      report: [
        `${all.length} customers, ${wanted.length} of whom were to be mailed; ${mail.mails.length} mails, ${mail.mails.length - answersFrom} since the first answer`,
        `${breaks.length - outages} deaths of the BFF, ${outages} outages of the mail server, ${repeats} mails repeated under their Message-ID`,
      ].join('\n'),
    };
  } finally {
    await servers.stop();
  }
}
