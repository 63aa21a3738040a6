import fc from 'fast-check';
import { sql } from 'kysely';
import nodemailer, { type NodemailerError, type SendMailOptions } from 'nodemailer';
import '../../../testing/seed.ts';
import { unsubscribePath } from '../../../../shared/contract/paths.ts';
import type { Store } from '../../../core/store/open.ts';
import type { Seal } from '../../../core/store/seal.ts';
import {
  addOtherTickets,
  addPerson,
  emptyStore,
  openTicket,
  others,
  type Person,
  reply,
} from '../../../testing/simulation/people.ts';
import {
  createProcess,
  isExpected,
  type Process,
  processPoints,
  type Stop,
  type StoreFault,
} from '../../../testing/simulation/process.ts';
import { readFault, stopAt, storeFault } from '../../../testing/simulation/process-faults.ts';
import { alone, step, upTo } from '../../../testing/simulation/schedule.ts';
import { createServiceModel, type ReadFault, timeoutMs } from '../../../testing/simulation/service.ts';
import type { SharedStore } from '../../../testing/simulation/store.ts';
import {
  createSimulatedTime,
  installTime,
  type SimulatedTime,
  startMs,
} from '../../../testing/simulation/time.ts';
import { mails, type MailsPart } from '../extra.ts';
import { mailLeaseMs } from '../mail-queue.ts';
import { betweenMailsMs } from '../notices.ts';

/*
 * Tickets of three customers, agents who answer, two processes on one store, and one mail server. Everything but the
 * customers may fail.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const processes = 2;
const notifyAfterMs = 5 * minuteMs;

/** The person of each ticket, and whether they want a mail about answers. */
const tickets = [
  { person: 0, notify: true },
  { person: 0, notify: true },
  { person: 1, notify: true },
  { person: 2, notify: false },
] as const;
const people = [
  { email: 'ada@example.com', isProven: true },
  { email: 'ben@example.com', isProven: false },
  { email: 'cleo@example.com', isProven: true },
] as const;

/** How the mail server handles one mail. */
type MailFault =
  | { how: 'refused'; command: 'RCPT TO' | 'DATA'; answer: string }
  | { how: 'not connected' }
  /** It does not answer, and takes the mail or not. */
  | { how: 'silent'; isTaken: boolean }
  | { how: 'slow'; ms: number };

/** `at`: the process. Times are milliseconds. */
type Act =
  | { do: 'answer'; ticket: number; isListed: boolean; hintTo: number | null }
  | { do: 'read' | 'reply' | 'look'; ticket: number; at: number }
  | { do: 'unsubscribe'; person: number; at: number }
  /** An agent removes the answers, or the customer leaves the ticket. */
  | { do: 'take back' | 'leave'; ticket: number }
  | { do: 'pass'; ms: number };
type Fault =
  | { do: 'fault of a mail'; fault: MailFault }
  | { do: 'fault of a read'; fault: ReadFault }
  | { do: 'outage of mails' | 'outage'; ms: number }
  | { do: 'fault of the store'; at: number; fault: StoreFault }
  | { do: 'freeze'; at: number; stop: Stop; ms: number }
  | { do: 'kill'; at: number; stop: Stop };
/** What may make a mail be given up. */
type LastingFault =
  /** The clock of the machine, for all processes. */
  | { do: 'clock'; aheadMs: number }
  /** All processes end, and others start after this time. */
  | { do: 'absence'; ms: number };
type Step = Act | Fault | LastingFault;

export type MailSchedule = readonly Step[];

const ticket = fc.nat({ max: tickets.length - 1 });
const at = fc.nat({ max: processes - 1 });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: step('answer', { ticket, isListed: fc.boolean(), hintTo: fc.option<number>(at) }),
  },
  { weight: 2, arbitrary: step('read', { ticket, at }) },
  { weight: 1, arbitrary: step('reply', { ticket, at }) },
  { weight: 1, arbitrary: step('look', { ticket, at }) },
  { weight: 1, arbitrary: step('unsubscribe', { person: fc.nat({ max: people.length - 1 }), at }) },
  { weight: 1, arbitrary: step('take back', { ticket }) },
  { weight: 1, arbitrary: step('leave', { ticket }) },
  {
    weight: 6,
    arbitrary: step('pass', { ms: fc.constantFrom(20_000, minuteMs, 6 * minuteMs, betweenMailsMs) }),
  },
);

const mailFault = fc.constantFrom<MailFault>(
  { how: 'refused', command: 'RCPT TO', answer: '550 5.1.1 No such user' },
  { how: 'refused', command: 'RCPT TO', answer: '451 4.3.0 Try later' },
  { how: 'refused', command: 'DATA', answer: '554 5.7.1 Looks like spam' },
  { how: 'refused', command: 'RCPT TO', answer: '530 5.7.0 Log in first' },
  { how: 'not connected' },
  { how: 'silent', isTaken: true },
  { how: 'silent', isTaken: false },
  { how: 'slow', ms: 5_000 },
);
const stop = stopAt(processPoints);
// Shorter than a lease, a freeze between the last look at the facts and the mail would be no fault of ours.
const freeze = step('freeze', { at, stop, ms: fc.constantFrom(mailLeaseMs + 1_000, hourMs) });
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: step('fault of a mail', { fault: mailFault }) },
  { weight: 3, arbitrary: step('fault of a read', { fault: readFault }) },
  {
    weight: 1,
    arbitrary: step('outage of mails', { ms: fc.constantFrom(20_000, 10 * minuteMs, hourMs) }),
  },
  { weight: 1, arbitrary: step('outage', { ms: fc.constantFrom(timeoutMs, 10 * minuteMs) }) },
  { weight: 3, arbitrary: step('fault of the store', { at, fault: storeFault }) },
  { weight: 2, arbitrary: freeze },
  { weight: 3, arbitrary: step('kill', { at, stop }) },
);
const lastingFault: fc.Arbitrary<LastingFault> = fc.oneof(
  {
    weight: 2,
    arbitrary: step('clock', { aheadMs: fc.constantFrom(0, hourMs, -hourMs, 5 * dayMs, -5 * dayMs) }),
  },
  { weight: 1, arbitrary: step('absence', { ms: fc.constantFrom(hourMs, 2 * dayMs, 15 * dayMs) }) },
);

/** An answer that meets a fault when it is mailed, and the next one. */
const metFault: fc.Arbitrary<Step[]> = fc
  .tuple(
    step('answer', { ticket, isListed: fc.boolean(), hintTo: at }),
    fc.oneof(fault, step('fault of a mail', { fault: mailFault }), step('kill', { at, stop }), freeze),
    fc.boolean(),
  )
  .map(([answer, met, hasNext]) => [
    answer,
    { do: 'pass', ms: notifyAfterMs - 50 },
    met,
    { do: 'pass', ms: 1_000 },
    ...(hasNext ? [answer] : []),
    { do: 'pass', ms: 2 * minuteMs },
  ]);

/** An answer whose mail comes just after the processes were replaced, so that the ticket must be read for it. */
const metByNew: fc.Arbitrary<Step[]> = fc
  .tuple(ticket, readFault, fc.boolean())
  .map(([place, met, isFrozen]) => [
    { do: 'answer', ticket: place, isListed: true, hintTo: 0 },
    { do: 'pass', ms: notifyAfterMs - 20_000 },
    ...[0, 1].map((one): Step => ({ do: 'kill', at: one, stop: { point: 'store', skip: 0 } })),
    { do: 'pass', ms: 19_900 },
    { do: 'fault of a read', fault: met },
    ...(isFrozen ? [0, 1] : []).map((one): Step => ({
      do: 'freeze',
      at: one,
      stop: { point: 'service', skip: 0 },
      ms: mailLeaseMs + 1_000,
    })),
    { do: 'pass', ms: 3 * minuteMs },
  ]);
/** An answer to somebody whose mails were only ended in part. */
const partlySilent: fc.Arbitrary<Step[]> = ticket.map((place) => [
  { do: 'answer', ticket: place, isListed: true, hintTo: 0 },
  { do: 'fault of the store', at: 1, fault: { how: 'locked', moment: 'before', skip: 1, times: 1 } },
  { do: 'unsubscribe', person: tickets[place]!.person, at: 1 },
  { do: 'pass', ms: notifyAfterMs + minuteMs },
]);

const mixOf = ({ faults, lasting }: { faults: number; lasting: number }): fc.Arbitrary<MailSchedule> =>
  fc
    .array(
      fc.oneof(
        { weight: 16, arbitrary: alone<Step>(act) },
        { weight: faults, arbitrary: alone<Step>(fault) },
        { weight: faults, arbitrary: metFault },
        { weight: faults / 2, arbitrary: metByNew },
        { weight: faults / 2, arbitrary: partlySilent },
        { weight: lasting, arbitrary: alone<Step>(lastingFault) },
      ),
      upTo(8),
    )
    .map((each) => each.flat());

/** Faults that pass, from none to many. */
export const mildMails = fc.constantFrom(0, 2, 4, 10).chain((faults) => mixOf({ faults, lasting: 0 }));
/** With faults that may make a mail be given up. */
export const faultyMails = fc.constantFrom(2, 4, 10).chain((faults) => mixOf({ faults, lasting: faults }));

interface SentMail {
  ticket: number;
  kind: 'answer' | 'confirmation';
  to: string;
  id: string;
  text: string;
  process: Process;
  begunAt: number;
  /** When the server took it. Null: it did not. */
  takenAt: number | null;
  /** The server took it and did not say so. */
  isUnanswered: boolean;
  /** It is refused for good. */
  isRefused: boolean;
  /** Whether all answers were read, and whether the address was unsubscribed, before it was begun. */
  isRead: boolean;
  isSilent: boolean;
}

/** As nodemailer reports it. */
const failure = (fields: Partial<NodemailerError>) => Object.assign(new Error('not sent'), fields);

/** A mail server in simulated time. Each fault applies to one mail, in order. */
function createMailServer(time: SimulatedTime) {
  const faults: MailFault[] = [];
  let awayUntil = 0;

  return {
    faultMail: (given: MailFault) => void faults.push(given),
    leave: (ms: number) => void (awayUntil = time.now() + ms),
    heal(): void {
      awayUntil = 0;
      faults.length = 0;
    },
    /** @throws what the sender is told */
    async take(mail: SentMail): Promise<void> {
      if (time.now() < awayUntil) throw failure({ code: 'ESOCKET', originalCode: 'ECONNREFUSED' });
      const met = faults.shift();
      switch (met?.how) {
        case 'refused': {
          const { command, answer: response } = met;
          mail.isRefused = response.startsWith('554');
          const code = command === 'DATA' ? 'EMESSAGE' : 'EENVELOPE';
          throw failure({ code, command, response, responseCode: Number(response.slice(0, 3)) });
        }
        case 'not connected':
          throw failure({ code: 'ECONNREFUSED' });
        case 'silent':
          if (met.isTaken) mail.takenAt = time.now();
          mail.isUnanswered = met.isTaken;
          await time.sleep(10_000);
          throw failure({ code: 'ETIMEDOUT' });
        case 'slow':
          await time.sleep(met.ms);
          mail.takenAt = time.now();
          return;
        default:
          mail.takenAt = time.now();
      }
    },
  };
}

/** Adds answered tickets of others, of which nothing is due. */
export async function addOthers(store: Store, count: number): Promise<void> {
  await addOtherTickets(store, count);
  const columns = sql.raw(
    'ticket_id, kind, contact_sealed, address_hash, mailbox_hash, answers, mailed_answers, changed_at, look_until',
  );
  await sql`
    INSERT INTO notices (${columns})
    SELECT id, 'answer', 'other', id, id, 1, 1, ${startMs}, ${startMs + dayMs} FROM tickets WHERE id LIKE ${`${others}%`}
  `.execute(store);
}

/** Longer than the longest pauses after failures: of a read, and then of a mail. */
const healMs = 3 * hourMs;
const checkEveryMs = minuteMs;

/**
 * Violations of what is promised of mails, one line each. `isMild`: each answer that needs a mail is mailed in the end.
 */
export async function simulateMails(
  steps: MailSchedule,
  { store: shared, seal, isMild }: { store: SharedStore; seal: Seal; isMild: boolean },
): Promise<string[]> {
  const { store } = shared;
  await emptyStore(store);
  await store.deleteFrom('silent_addresses').execute();
  const time = createSimulatedTime(true);
  const uninstall = installTime(time);
  const service = createServiceModel(time);
  const server = createMailServer(time);
  const wrong: string[] = [];
  const onError = (error: unknown) =>
    void wrong.push(`unexpected: ${(error as Error).stack ?? String(error)}`);

  const customers: Person[] = [];
  const ticketIds: string[] = [];
  const sent: SentMail[] = [];
  /** The moments at which a process met a fault. */
  const broken: { process: Process; at: number }[] = [];
  /** How many answers are read, and since when, by ticket. */
  const read = new Map<number, { count: number; at: number }>();
  /** Since when a person is unsubscribed. */
  const silent = new Map<number, number>();
  /** Tickets with answers that an agent has taken back. */
  const takenBack = new Set<number>();
  let lastAnswer = 0;
  let aheadMs = 0;
  let wasClockSet = false;
  const running: Process[] = [];
  const byUrl = new Map<string, Process>();

  const storedOf = (place: number) => service.tickets.find(({ id }) => id === ticketIds[place])!;
  const answersOf = (place: number) => storedOf(place).messages.filter(({ author }) => author === 'agent');

  async function send(process: Process, options: SendMailOptions): Promise<void> {
    const { to, messageId, headers } = options;
    const text = options.text as string;
    const place = ticketIds.indexOf(/\?ticket=(\w+)/.exec(text)![1]!);
    const mail: SentMail = {
      ticket: place,
      kind: (headers as Record<string, string>)['Feedback-ID']!.startsWith('answer')
        ? 'answer'
        : 'confirmation',
      to: (to as { address: string }).address,
      id: String(messageId),
      text,
      process,
      begunAt: time.now(),
      takenAt: null,
      isUnanswered: false,
      isRefused: false,
      isRead: isBefore(read.get(place)?.at) && read.get(place)!.count >= answersOf(place).length,
      isSilent: isBefore(silent.get(tickets[place]!.person)),
    };
    sent.push(mail);
    await process.away('mail', () => server.take(mail))();
  }
  const isBefore = (since: number | undefined) => since !== undefined && since < time.now();

  const { createTransport } = nodemailer;
  const transportOf = ({ url }: { url: string }) => ({
    sendMail: (options: SendMailOptions) => send(byUrl.get(url)!, options),
  });
  Object.assign(nodemailer, { createTransport: transportOf });

  async function startAt(place: number): Promise<void> {
    // Its name leads from a mail to the process that sent it.
    const url = `smtp://process-${byUrl.size}.test`;
    const values = {
      SMTP_URL: url,
      MAIL_FROM: { name: 'Acme', address: 'support@shop.test' },
      NOTIFY_EMAIL: 'on',
      NOTIFY_AFTER_MS: notifyAfterMs,
      CONFIRM_EMAIL: 'on',
    };
    const onFault = () => void broken.push({ process, at: time.now() });
    const around = { store: shared, seal, time, service, config: { values }, extras: [mails] };
    const process: Process = await createProcess({ ...around, onFault, onError }, aheadMs);
    byUrl.set(url, process);
    running[place] = process;
    await process.start();
  }

  /** What customers ask for may fail with the process, and may never be answered. */
  const ask = (request: Promise<unknown>) =>
    void request.catch((error: unknown) => {
      if (!isExpected(error)) onError(error);
    });

  async function begin(): Promise<void> {
    for (let place = 0; place < processes; place += 1) await startAt(place);
    const { core } = running[0]!;
    for (const { email, isProven } of people) customers.push(await addPerson(core, email, isProven));
    for (const { person, notify } of tickets)
      ticketIds.push(await openTicket(core, customers[person]!, { notify, language: 'en' }));
  }

  function replace(place: number): void {
    const ended = running[place]!;
    if (ended.isDead()) return;
    ended.kill();
    ask(startAt(place));
  }

  async function markRead({ core }: Process, place: number): Promise<void> {
    const { subjectId } = customers[tickets[place]!.person]!.session;
    const grant = await core.grants.find(subjectId, ticketIds[place]!);
    const seen = answersOf(place);
    if (!grant || seen.length === 0) return;
    await core.tickets.markRead({ grant }, seen.at(-1)!.id);
    read.set(place, { count: seen.length, at: time.now() });
  }

  async function unsubscribe({ core, parts }: Process, place: number): Promise<void> {
    const part = parts[0] as MailsPart;
    const token = part.suppressions.tokenOf(core.subjects.mailboxHash(customers[place]!.email));
    const route = part.routes!({ bestLanguage: () => 'en' } as never)[unsubscribePath]!;
    route.onError(() => new Response(null, { status: 503 }));
    const { ok } = await route.request(`/${token}`, { method: 'POST' });
    if (ok && !silent.has(place)) silent.set(place, time.now());
  }

  /** The processes that a fault is for: whichever mails next, or one. */
  const meeting = ({ at: one, stop: { point } }: { at: number; stop: Stop }) =>
    point === 'mail' ? [...running.keys()] : [one];

  async function perform(each: Step): Promise<void> {
    const process = running['at' in each ? each.at : 0]!;
    const ticketId = 'ticket' in each ? ticketIds[each.ticket]! : '';
    switch (each.do) {
      case 'answer':
        service.answer(ticketId, `answer ${(lastAnswer += 1)}.`, each.isListed);
        if (each.hintTo !== null) for (const part of running[each.hintTo]!.parts) part.onHint?.(ticketId);
        return;
      case 'read':
        return ask(markRead(process, each.ticket));
      case 'reply':
        return ask(reply(process.core, customers[tickets[each.ticket]!.person]!, ticketId, 'And now?'));
      case 'look':
        return ask(process.core.threads.refresh(ticketId));
      case 'unsubscribe':
        return ask(unsubscribe(process, each.person));
      case 'take back':
        takenBack.add(each.ticket);
        storedOf(each.ticket).messages.length = 0;
        return;
      case 'leave':
        await store.deleteFrom('grants').where('ticket_id', '=', ticketId).execute();
        return;
      case 'pass':
        return time.pass(each.ms);
      case 'fault of a mail':
        return server.faultMail(each.fault);
      case 'fault of a read':
        return service.faultRead(each.fault);
      case 'outage of mails':
        return server.leave(each.ms);
      case 'outage':
        return service.leave(each.ms);
      case 'fault of the store':
        return process.faultStore(each.fault);
      case 'freeze':
        for (const one of meeting(each)) running[one]!.callAt(each.stop, () => running[one]!.freeze(each.ms));
        return;
      case 'kill':
        for (const one of meeting(each)) running[one]!.callAt(each.stop, () => replace(one));
        return;
      case 'clock':
        aheadMs = each.aheadMs;
        wasClockSet = true;
        for (const one of running) one.setClock(aheadMs);
        return;
      case 'absence': {
        for (const ended of running) ended.kill();
        await time.pass(each.ms);
        for (const place of running.keys()) ask(startAt(place));
      }
    }
  }

  const isBroken = (process: Process, from: number, to: number) =>
    broken.some((each) => each.process === process && each.at >= from && each.at <= to);

  /** A copy follows another only if nobody knows whether that was taken. */
  function judgeCopies(taken: readonly SentMail[]): void {
    for (const [nth, mail] of taken.entries()) {
      const before = taken.slice(0, nth).findLast(({ id }) => id === mail.id);
      if (!before || before.isUnanswered || isBroken(before.process, before.begunAt, mail.begunAt)) continue;
      wrong.push(`repeated for no reason: ${mail.kind} about ${mail.ticket}`);
    }
  }

  function judgeTicket(place: number): void {
    const { email, isProven } = people[tickets[place]!.person];
    const taken = sent.filter((mail) => mail.ticket === place && mail.takenAt !== null);
    const about = taken.filter(({ kind }) => kind === 'answer');
    judgeCopies(taken);
    if (new Set(taken.filter(({ kind }) => kind === 'confirmation').map(({ id }) => id)).size > 1)
      wrong.push(`two confirmations of ${place}`);
    if (!tickets[place]!.notify && about.length > 0) wrong.push(`nobody wanted a mail about ${place}`);
    const quotedBy = new Map<string, string>();
    for (const { to, text, id, isRead, isSilent, kind } of taken) {
      const quoted = [...text.matchAll(/answer \d+\./g)].map(String);
      if (to !== email) wrong.push(`mailed to a stranger: ${to}`);
      if (isSilent) wrong.push(`mailed to the unsubscribed ${email}`);
      if (isRead && kind === 'answer') wrong.push(`mailed what was read: ${place}`);
      if (!isProven && (quoted.length > 0 || text.includes('Please.')))
        wrong.push(`quoted to an address that nobody has proven: ${place}`);
      for (const answer of quoted) {
        if ((quotedBy.get(answer) ?? id) !== id) wrong.push(`in two mails: ${answer}`);
        quotedBy.set(answer, id);
        if (!all[place]!.has(answer)) wrong.push(`of another ticket: ${answer}`);
      }
    }
    for (const [nth, mail] of about.entries()) {
      const before = about[nth - 1];
      if (wasClockSet || !before || before.id === mail.id) continue;
      if (mail.takenAt! - before.takenAt! < betweenMailsMs)
        wrong.push(`two mails about ${place} within ${mail.takenAt! - before.takenAt!} ms`);
    }
  }

  /** What still has to be mailed. */
  async function missing(): Promise<string[]> {
    const lines: string[] = [];
    const dead = await store.selectFrom('silent_addresses').select('address_hash').execute();
    const { subjects } = running[0]!.core;
    for (const [place, { person, notify }] of tickets.entries()) {
      const { email } = people[person];
      const hashes = new Set([subjects.mailboxHash(email), subjects.addressHash(email)]);
      if (dead.some(({ address_hash: hash }) => hashes.has(hash)) || takenBack.has(place)) continue;
      const holder = await store
        .selectFrom('grants')
        .select('read_count')
        .where('ticket_id', '=', ticketIds[place]!)
        .executeTakeFirst();
      if (!holder) continue;
      const taken = sent.filter((mail) => mail.ticket === place && (mail.takenAt !== null || mail.isRefused));
      if (!taken.some(({ kind }) => kind === 'confirmation')) lines.push(`no confirmation of ${place}`);
      const last = answersOf(place).at(-1);
      if (!notify || !last || holder.read_count >= answersOf(place).length) continue;
      const isMailed = taken.some(
        ({ kind, begunAt, text, isRefused }) =>
          kind === 'answer' &&
          begunAt >= last.at &&
          (isRefused || !people[person].isProven || text.includes(last.body)),
      );
      if (!isMailed) lines.push(`not mailed: ${last.body} in ${place}`);
    }
    return lines;
  }

  /** Ends all faults, and waits until all is mailed, or for as long as that may take. */
  async function heal(): Promise<string[]> {
    service.heal();
    server.heal();
    for (const process of running) process.spare();
    let lines = await missing();
    for (let passed = 0; lines.length > 0 && passed < healMs; passed += checkEveryMs) {
      await time.pass(checkEveryMs);
      lines = await missing();
    }
    // What is mailed again would be so now.
    await time.pass(betweenMailsMs + minuteMs);
    return isMild ? lines : [];
  }

  /** All answers that each ticket ever had. */
  const all = tickets.map(() => new Set<string>());

  try {
    const ready = begin();
    await time.settle();
    await ready;
    for (const each of steps) {
      await perform(each);
      for (const [place, texts] of all.entries()) for (const { body } of answersOf(place)) texts.add(body);
      await time.settle();
    }
    wrong.push(...(await heal()));
    for (const place of tickets.keys()) judgeTicket(place);
    for (const process of running) process.kill();
    await time.settle();
    return wrong;
  } finally {
    uninstall();
    Object.assign(nodemailer, { createTransport });
  }
}
