import fc from 'fast-check';
import nodemailer, { type SendMailOptions } from 'nodemailer';
import '../../../../testing/seed.ts';
import { mailHookPath } from '../../../../../shared/contract/paths.ts';
import type { Seal } from '../../../../core/store/seal.ts';
import { addPerson, emptyStore, openTicket } from '../../../../testing/simulation/people.ts';
import {
  createProcess,
  isExpected,
  type Process,
  processPoints,
} from '../../../../testing/simulation/process.ts';
import { stopAt, storeFault } from '../../../../testing/simulation/process-faults.ts';
import { alone, step, upTo } from '../../../../testing/simulation/schedule.ts';
import { createServiceModel, timeoutMs, type WriteFault } from '../../../../testing/simulation/service.ts';
import type { SharedStore } from '../../../../testing/simulation/store.ts';
import { createSimulatedTime, installTime } from '../../../../testing/simulation/time.ts';
import { mails, type MailsPart } from '../../extra.ts';
import { mailCounts } from '../../metrics.ts';
import { createKeptMails } from '../kept-mails.ts';
import { bounceOf, hookSecret, mailOf, mailWithFile } from './incoming.ts';
import { createMailbox, MailboxError, type MailboxFault } from './simulated-mailbox.ts';

/*
 * Mails of customers, strangers and programs come to two processes on one store: by a hook, whose provider repeats a mail until it
 * is taken, or in a mailbox. Everything but the senders may fail.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const processes = 2;
const own = 'support@shop.test';
/** Whose program answers each mail, without a sign that it does. */
const machine = 'machine@example.com';
const addresses = ['ada@example.com', 'ben@example.com'] as const;

/** `from`, `to`: the customer of a ticket, and the address of its token. */
interface Given {
  from: string;
  to: string;
  words: string;
}
const bounced = ({ from, to, words }: Given, status: string) =>
  bounceOf(from, mailOf({ from: own, to: from, words, header: [`Reply-To: ${to}`] }), status);
/** What comes, and what it must become. `begins`: it opens a ticket, or its sender is told where to write. */
const kinds: Record<string, ['reply' | 'begins' | 'nothing' | 'aside', (given: Given) => string]> = {
  answer: ['reply', mailOf],
  'long answer': ['reply', (mail) => mailWithFile(mail, 'a.txt', 'text/plain', 'x'.repeat(300_000))],
  'answer of another': ['reply', (mail) => mailOf({ ...mail, from: 'eve@example.com' })],
  stranger: [
    'begins',
    ({ words }) => mailOf({ words, from: 'eve@example.com', to: `support+${'a'.repeat(32)}@shop.test` }),
  ],
  machine: ['begins', ({ words }) => mailOf({ words, from: machine })],
  forged: ['begins', ({ words, from }) => mailOf({ words, from })],
  automatic: ['nothing', (mail) => mailOf({ ...mail, header: ['Auto-Submitted: auto-replied'] })],
  list: [
    'nothing',
    ({ words }) => mailOf({ words, from: 'eve@example.com', header: ['List-Id: <a.example>'] }),
  ],
  'answer by a list': [
    'aside',
    (mail) => mailOf({ ...mail, from: 'eve@example.com', header: ['List-Id: <a.example>'] }),
  ],
  own: ['nothing', (mail) => mailOf({ ...mail, from: own })],
  empty: ['aside', (mail) => mailOf({ ...mail, words: `> ${mail.words}` })],
  unreadable: ['aside', (mail) => mailOf({ ...mail, words: mail.words + '\n--'.repeat(1_001) })],
  bounce: ['nothing', (mail) => bounced(mail, '5.1.1')],
  'late bounce': ['nothing', (mail) => bounced(mail, '4.2.2')],
};

const at = fc.nat({ max: processes - 1 });
/** `unheard`: how many answers of the hook its provider does not hear. */
const mail = step('mail', {
  kind: fc.oneof(fc.constantFrom('answer', 'long answer'), fc.constantFrom(...Object.keys(kinds))),
  ticket: fc.nat({ max: addresses.length - 1 }),
  at,
  unheard: fc.constantFrom(0, 0, 1),
  isTwice: fc.boolean(),
});
const pass = step('pass', { ms: fc.constantFrom(20_000, minuteMs, 10 * minuteMs) });
const act = fc.oneof(
  { weight: 6, arbitrary: mail },
  // The mail that came last comes once more, with another header.
  { weight: 1, arbitrary: step('again', { at }) },
  // An operator has what is set aside acted on again.
  { weight: 1, arbitrary: step('try again', { at }) },
  { weight: 1, arbitrary: step('housekeeping', { at }) },
  { weight: 3, arbitrary: pass },
);
const refused = step('fault of a write', {
  fault: fc.constant<WriteFault>({ how: 'refused', status: 422 }),
});
const writeFault = step('fault of a write', {
  fault: fc.constantFrom<WriteFault>(
    { how: 'lost' },
    { how: 'never' },
    { how: 'not connected' },
    { how: 'limited', ms: 5_000 },
  ),
});
const mailboxFault: fc.Arbitrary<MailboxFault> = fc.record({
  how: fc.constantFrom('closed', 'lost', 'refused', 'login', 'folder'),
  skip: fc.nat({ max: 8 }),
});
const kill = step('kill', { at, stop: stopAt(processPoints) });
const faultOfStore = step('fault of the store', { at, fault: storeFault });
const fault = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(writeFault, refused) },
  { weight: 1, arbitrary: step('outage', { ms: fc.constantFrom(timeoutMs, 10 * minuteMs) }) },
  { weight: 4, arbitrary: step('fault of the mailbox', { fault: mailboxFault }) },
  { weight: 1, arbitrary: step('renumber', {}) },
  { weight: 5, arbitrary: faultOfStore },
  {
    weight: 3,
    arbitrary: step('freeze', { at, stop: stopAt(processPoints), ms: fc.constantFrom(minuteMs, hourMs) }),
  },
  { weight: 5, arbitrary: kill },
  { weight: 1, arbitrary: step('clock', { aheadMs: fc.constantFrom(0, hourMs, -hourMs) }) },
);
type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
type Step = ValueOf<typeof act> | ValueOf<typeof fault>;
/** A mail that meets a fault, and one that is refused just before the process that sent it fails. */
const metFault: fc.Arbitrary<Step[]> = fc.tuple(fc.oneof(fault, kill, faultOfStore), mail, pass);
const refusedAndFailed: fc.Arbitrary<Step[]> = fc.tuple(
  refused,
  fc.oneof(
    kill,
    faultOfStore,
    step('kill', {
      at,
      stop: fc.record({ point: fc.constant('store' as const), skip: fc.nat({ max: 80 }) }),
    }),
  ),
  mail,
  pass,
);

/** Faults, from none to many. */
export const mailsIn = fc.constantFrom(0, 2, 6, 16).chain((faults) =>
  fc.record({
    by: fc.constantFrom('hook' as const, 'mailbox' as const),
    keepsMarks: fc.boolean(),
    opensTickets: fc.boolean(),
    steps: fc
      .array(
        fc.oneof(
          { weight: 12, arbitrary: alone<Step>(act) },
          { weight: faults, arbitrary: alone<Step>(fault) },
          { weight: faults, arbitrary: metFault },
          { weight: faults, arbitrary: refusedAndFailed },
        ),
        upTo(10),
      )
      .map((each) => each.flat()),
  }),
);

interface GivenMail {
  kind: string;
  ticket: number;
  /** Its words, which no other mail has. */
  words: string;
  raw: Buffer;
}

/** The mailbox of the simulation that runs, for the double of `imapflow`. */
export const current: { mailbox?: ReturnType<typeof createMailbox> } = {};

/** The codes of what the reader makes of a search that is refused, and of a connection that is closed. */
const ofReader = new Set<string | undefined>(['SEARCH', 'EConnectionClosed']);

const healMs = 6 * hourMs;

/** Violations of what is promised of mails that come in, one line each. */
export async function simulateMailsIn(
  { by, keepsMarks, opensTickets, steps }: ValueOf<typeof mailsIn>,
  { store: shared, seal }: { store: SharedStore; seal: Seal },
): Promise<string[]> {
  const { store } = shared;
  await emptyStore(store);
  for (const table of ['mails_in', 'mailboxes', 'silent_addresses'] as const)
    await store.deleteFrom(table).execute();
  const time = createSimulatedTime(true);
  const uninstall = installTime(time);
  const service = createServiceModel(time);
  const mailbox = (current.mailbox = createMailbox(time, { keepsMarks }));
  const wrong: string[] = [];
  function onError(error: unknown): void {
    if (!(error instanceof MailboxError) && !ofReader.has((error as { code?: string }).code))
      wrong.push(`unexpected: ${(error as Error).stack ?? String(error)}`);
  }

  const ticketIds: string[] = [];
  const replyTo: string[] = [];
  const given: GivenMail[] = [];
  /** Whom we have told where to write. */
  const told: string[] = [];
  const running: Process[] = [];
  let started = 0;
  let aheadMs = 0;
  let arriving = 0;

  const { createTransport } = nodemailer;
  async function sendMail(options: SendMailOptions): Promise<void> {
    const to = (options.to as { address: string }).address;
    told.push(to);
    if ((options.headers as Record<string, string>)['Auto-Submitted'] !== 'auto-replied')
      wrong.push('told without a sign that a program has written it');
    if (to === machine && told.length < 100) bring('machine', 0);
  }
  Object.assign(nodemailer, { createTransport: () => ({ sendMail }) });

  async function startAt(place: number): Promise<void> {
    const name = `process-${(started += 1)}`;
    const values = {
      SMTP_URL: 'smtp://mail.test',
      MAIL_FROM: { name: 'Acme', address: own },
      MAIL_REPLY_TO: { name: 'Acme', address: 'support+{token}@shop.test' },
      NOTIFY_EMAIL: 'off',
      CONFIRM_EMAIL: 'off',
      MAIL_IN: by === 'hook' ? 'hook' : `imap://us:${name}@localhost`,
      MAIL_IN_SECRET: [hookSecret],
      MAIL_IN_NEW: opensTickets ? 'on' : 'off',
    };
    const around = { store: shared, seal, time, service, config: { values }, extras: [mails] };
    const process = await createProcess({ ...around, onFault: () => {}, onError }, aheadMs);
    mailbox.processes.set(name, process);
    running[place] = process;
    await process.start();
  }
  const partOf = ({ parts }: Process) => parts[0] as MailsPart;
  /** What is asked of a process may fail with it, and may never be answered. */
  const ask = (request: Promise<unknown>) =>
    void request.catch((error: unknown) => {
      if (!isExpected(error)) onError(error);
    });

  async function begin(): Promise<void> {
    for (let place = 0; place < processes; place += 1) await startAt(place);
    const { core } = running[0]!;
    for (const email of addresses) {
      const ticketId = await openTicket(core, await addPerson(core, email, true));
      const hash = core.subjects.addressHash(email);
      const token = await partOf(running[0]!).incoming!.tokens.of({
        ticket_id: ticketId,
        address_hash: hash,
      });
      ticketIds.push(ticketId);
      replyTo.push(token.replyTo.address);
    }
  }

  function replace(place: number): void {
    if (running[place]!.isDead()) return;
    running[place]!.kill();
    ask(startAt(place));
  }

  async function post(process: Process, raw: Buffer): Promise<boolean> {
    const route = partOf(process).routes!({ bestLanguage: () => 'en' } as never)[mailHookPath]!;
    route.onError(() => new Response(null, { status: 503 }));
    return (await route.request(`/${hookSecret}`, { method: 'POST', body: raw })).ok;
  }

  /** Repeats a mail, now to the one and now to the other process, until it hears that it was taken. */
  async function provide(mailed: GivenMail, place: number, unheard: number): Promise<void> {
    arriving += 1;
    let left = unheard;
    for (let nth = 0; ; nth += 1) {
      const isTaken = await Promise.race([
        post(running[(place + nth) % processes]!, mailed.raw),
        time.sleep(20_000).then(() => false),
      ]);
      if (isTaken && left-- <= 0) break;
      await time.sleep(30_000);
    }
    arriving -= 1;
  }

  function deliver(mailed: GivenMail, place: number, unheard: number): void {
    if (by === 'mailbox') mailbox.arrive(mailed.raw);
    else ask(provide(mailed, place, unheard));
  }

  function bring(kind: string, ticket: number, { place = 0, unheard = 0, isTwice = false } = {}): void {
    const words = `word ${given.length + 1}.`;
    const [, write] = kinds[kind]!;
    const raw = Buffer.from(write({ from: addresses[ticket]!, to: replyTo[ticket]!, words }));
    const mailed = { kind, ticket, words, raw };
    given.push(mailed);
    deliver(mailed, place, unheard);
    if (isTwice) deliver(mailed, 1 - place, 0);
  }

  async function tryAgain({ core }: Process): Promise<void> {
    const kept = createKeptMails(core);
    for (const { id } of await kept.setAside(100)) await kept.tryAgain(id);
  }

  async function perform(each: Step): Promise<void> {
    const process = running['at' in each ? each.at : 0]!;
    switch (each.do) {
      case 'mail':
        return bring(each.kind, each.ticket, { ...each, place: each.at });
      case 'again': {
        const last = given.at(-1);
        if (!last) return;
        const raw = Buffer.concat([Buffer.from('X-Moved: yes\r\n'), last.raw]);
        return deliver({ ...last, raw }, each.at, 0);
      }
      case 'try again':
        return ask(tryAgain(process));
      case 'housekeeping':
        for (const chore of partOf(process).chores!) ask(chore(20));
        return;
      case 'pass':
        return time.pass(each.ms);
      case 'fault of a write':
        return service.faultWrite(each.fault);
      case 'fault of the mailbox':
        return mailbox.fault(each.fault);
      case 'renumber':
        return mailbox.renumber();
      case 'outage':
        return service.leave(each.ms);
      case 'fault of the store':
        return process.faultStore(each.fault);
      case 'freeze':
        return process.callAt(each.stop, () => process.freeze(each.ms));
      case 'kill':
        return process.callAt(each.stop, () => replace(each.at));
      case 'clock':
        aheadMs = each.aheadMs;
        for (const one of running) one.setClock(aheadMs);
    }
  }

  const has = (text: string, words: string) => text.split('\n').includes(words);
  const opened = (words: string) =>
    service.tickets.filter(({ description }) => has(description, words)).length;
  /** How often these words are a customer's message, in this ticket or in any. */
  const replies = (words: string, ticketId?: string) =>
    service.tickets
      .filter(({ id }) => id === (ticketId ?? id))
      .flatMap(({ messages }) => messages)
      .filter(({ body }) => has(body, words)).length;
  const everywhere = (words: string) => opened(words) + replies(words);

  /** What has not become what it must. */
  async function missing(): Promise<string[]> {
    const counts = await mailCounts(store);
    const absent = given.filter(({ kind, words }) => {
      const [becomes] = kinds[kind]!;
      return becomes !== 'nothing' && (becomes !== 'begins' || opensTickets) && everywhere(words) === 0;
    });
    return [
      ...(arriving > 0 ? ['a mail is not taken'] : []),
      ...(counts['mails_waiting'] === 0 ? [] : ['a mail waits']),
      ...(absent.length === counts['mails_set_aside']
        ? []
        : [`${counts['mails_set_aside']} are set aside, of ${absent.map(({ words }) => words).join(' ')}`]),
    ];
  }

  async function heal(): Promise<string[]> {
    service.heal();
    mailbox.heal();
    for (const process of running) process.spare();
    let lines = await missing();
    for (let passed = 0; lines.length > 0 && passed < healMs; passed += minuteMs) {
      await time.pass(minuteMs);
      lines = await missing();
    }
    await time.pass(10 * minuteMs);
    return lines;
  }

  function judge({ kind, ticket, words }: GivenMail): void {
    const [becomes] = kinds[kind]!;
    const count = everywhere(words);
    const there = becomes === 'reply' ? replies(words, ticketIds[ticket]) : opened(words);
    if (count > 1) wrong.push(`${count} times: ${words} (${kind})`);
    if (count !== there) wrong.push(`in another ticket: ${words} (${kind})`);
    const mayEnter = becomes === 'reply' || (becomes === 'begins' && opensTickets);
    if (!mayEnter && count > 0) wrong.push(`entered: ${words} (${kind})`);
  }

  try {
    const ready = begin();
    await time.settle();
    await ready;
    for (const each of steps) {
      await perform(each);
      await time.settle();
    }
    wrong.push(...(await heal()));
    for (const mailed of given) judge(mailed);
    // Each process counts for itself.
    for (const to of new Set(told)) {
      const times = told.filter((each) => each === to).length;
      if (times > started) wrong.push(`told ${times} times: ${to}`);
      if (opensTickets) wrong.push(`told though a ticket is opened: ${to}`);
    }
    for (const process of running) process.kill();
    await time.settle();
    return wrong;
  } finally {
    uninstall();
    Object.assign(nodemailer, { createTransport });
  }
}
