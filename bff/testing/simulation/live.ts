import fc from 'fast-check';
import '../seed.ts';
import type { Seal } from '../../core/store/seal.ts';
import { openPage, type Page, type Looking } from './page.ts';
import { addPerson, emptyStore, openSession, openTicket, type Person, reply } from './people.ts';
import { createProcess, isExpected, type Stop, type StoreFault } from './process.ts';
import { alone, step, upTo } from './schedule.ts';
import { readFault, stopAt, storeFault } from './process-faults.ts';
import { createServiceModel, type ReadFault, timeoutMs } from './service.ts';
import type { SharedStore } from './store.ts';
import { createSimulatedTime, installTime } from './time.ts';

/*
 * Open pages of two customers, agents who answer, and one process that fails. Two of the three tickets have one holder,
 * the last has both. A page shows the list or one ticket.
 */

const tickets = 3;
const ofBoth = tickets - 1;
const people = 2;
const minuteMs = 60_000;

/** `page`, `person`, `ticket`: numbers; those past the last page start again with the first. Times are milliseconds. */
type Act =
  | { do: 'answer'; ticket: number; isHinted: boolean; isListed: boolean }
  | { do: 'status'; ticket: number; status: string }
  | { do: 'open'; person: number; ticket: number | null }
  | { do: 'close' | 'read' | 'drain'; page: number }
  | { do: 'reply'; person: number; ticket: number }
  /** The process is told at once, of this session or of all, or finds out. */
  | { do: 'sign out'; person: number; told: 'session' | 'sessions' | null }
  | { do: 'lose the right'; person: number; isTold: boolean }
  | { do: 'ticket'; person: number }
  | { do: 'pass'; ms: number };
type Fault =
  | { do: 'fault of reads'; fault: ReadFault; times: number }
  | { do: 'outage'; ms: number }
  | { do: 'fault of the store'; fault: StoreFault }
  | { do: 'freeze'; stop: Stop; ms: number }
  | { do: 'kill'; stop: Stop }
  /** The process ends in order, which takes this long, and another replaces it. */
  | { do: 'end'; ms: number }
  | { do: 'stall' | 'cut'; page: number };
type Step = Act | Fault;

export interface LiveSchedule {
  /** Few reads a second make the tickets wait, and the list be read. */
  readsPerSecond: number;
  steps: readonly Step[];
}

const person = fc.nat({ max: people - 1 });
const ticket = fc.nat({ max: tickets - 1 });
const page = fc.nat({ max: 5 });
const telling = fc.constantFrom('session' as const, 'sessions' as const, null);
const answer = step('answer', { ticket, isHinted: fc.boolean(), isListed: fc.boolean() });
const pass = (...ms: number[]) => step('pass', { ms: fc.constantFrom(...ms) });
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: answer },
  { weight: 1, arbitrary: step('status', { ticket, status: fc.constantFrom('open', 'solved') }) },
  { weight: 5, arbitrary: step('open', { person, ticket: fc.option<number>(ticket) }) },
  { weight: 1, arbitrary: step('close', { page }) },
  { weight: 1, arbitrary: step('read', { page }) },
  { weight: 1, arbitrary: step('drain', { page }) },
  { weight: 2, arbitrary: step('reply', { person, ticket }) },
  { weight: 1, arbitrary: step('ticket', { person }) },
  { weight: 1, arbitrary: step('sign out', { person, told: telling }) },
  { weight: 1, arbitrary: step('lose the right', { person, isTold: fc.boolean() }) },
  { weight: 8, arbitrary: pass(100, 1_000, 3_000, 20_000, minuteMs) },
);

const stop = stopAt(['store', 'service']);
const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: step('fault of reads', { fault: readFault, times: fc.constantFrom(1, 4) }) },
  { weight: 3, arbitrary: step('outage', { ms: fc.constantFrom(timeoutMs, minuteMs) }) },
  { weight: 4, arbitrary: step('fault of the store', { fault: storeFault }) },
  { weight: 2, arbitrary: step('freeze', { stop, ms: fc.constantFrom(timeoutMs, minuteMs) }) },
  { weight: 2, arbitrary: step('kill', { stop }) },
  { weight: 1, arbitrary: step('end', { ms: fc.constantFrom(500, 3_000) }) },
  { weight: 1, arbitrary: step('stall', { page }) },
  { weight: 1, arbitrary: step('cut', { page }) },
);

/** An answer after its reader has lost the right to it. */
const lost: fc.Arbitrary<Step[]> = person.chain((who) => {
  const ended = fc.oneof(
    step('sign out', { person: fc.constant(who), told: telling }),
    step('lose the right', { person: fc.constant(who), isTold: fc.boolean() }),
  );
  const open = step('open', { person: fc.constant(who), ticket: fc.constantFrom(null, ofBoth) });
  return fc.tuple(
    open,
    pass(100),
    ended,
    answer.map((each) => ({ ...each, ticket: ofBoth })),
    pass(100, 3_000),
  );
});
/** An answer that meets a fault, and a reader of it who reads nothing. */
const metFault: fc.Arbitrary<Step[]> = fc.tuple(fault, answer, pass(100, 3_000));
const stalled: fc.Arbitrary<Step[]> = fc.tuple(
  step('stall', { page }),
  answer,
  pass(20_000, minuteMs),
  answer,
);

export const liveSchedule: fc.Arbitrary<LiveSchedule> = fc.constantFrom(0, 4, 8, 16).chain((faults) =>
  fc.record({
    readsPerSecond: fc.constantFrom(1, 20),
    steps: fc
      .array(
        fc.oneof(
          { weight: 16, arbitrary: alone<Step>(act) },
          { weight: 1, arbitrary: lost },
          { weight: faults, arbitrary: alone<Step>(fault) },
          { weight: faults, arbitrary: metFault },
          { weight: faults / 4, arbitrary: stalled },
        ),
        upTo(24),
      )
      .map((each) => each.flat()),
  }),
);

const nth = <Item>(list: readonly Item[], place: number): Item | undefined => list[place % list.length];
const holdersOf = (place: number) => (place === ofBoth ? [0, 1] : [place]);
/** Longer than the longest pause of a watch after failures. */
const healMs = 15 * minuteMs;
const checkEveryMs = 5_000;

/** Violations of what is promised of open pages, one line each. */
export async function simulateLive(
  { readsPerSecond, steps }: LiveSchedule,
  { store, seal }: { store: SharedStore; seal: Seal },
): Promise<string[]> {
  await emptyStore(store.store);
  const time = createSimulatedTime(true);
  const uninstall = installTime(time);
  const service = createServiceModel(time);
  const wrong: string[] = [];
  const onError = (error: unknown) =>
    void wrong.push(`unexpected: ${(error as Error).stack ?? String(error)}`);
  const config = { readsPerSecond, watchActiveMs: 2_000, watchIdleMs: 15_000 };
  const create = () =>
    createProcess({ store, seal, time, service, config, extras: [], onFault: () => {}, onError });

  /** A message that the service no longer has, and has again, is sent again. */
  const isLagging = steps.some((each) => each.do === 'fault of reads' && each.fault.how === 'lagging');

  let current = await create();
  /** Never fails, and has no pages. */
  const calm = (await create()).core;
  const pages: Page[] = [];
  const ticketIds: string[] = [];
  const customers: Person[] = [];
  /** When a session, or the right of a subject to the last ticket, ended. */
  const ended = new Map<string, number>();
  /** Subjects whose pages still have to learn that they have lost a right. */
  const untold = new Set<string>();
  const answers = new Map<string, { ticket: number; at: number }>();

  /** What customers ask for may fail with the process, and may never be answered. */
  const ask = (request: Promise<unknown>) =>
    void request.catch((error: unknown) => {
      if (!isExpected(error)) onError(error);
    });

  function onAnswer({ email, session }: Looking, text: string): void {
    const { ticket: place, at } = answers.get(text)!;
    const wasHeld = (name: string) => (ended.get(name) ?? Infinity) >= at;
    const isHolder = holdersOf(place).some((each) => customers[each]!.email === email);
    const hasRight = isHolder && (place !== ofBoth || wasHeld(session.subjectId));
    if (!hasRight || !wasHeld(session.id)) wrong.push(`shown to a stranger: ${text}, to ${email}`);
  }

  async function begin(): Promise<void> {
    await current.start();
    for (const email of ['ada@example.com', 'ben@example.com'])
      customers.push(await addPerson(current.core, email));
    for (let place = 0; place < tickets; place += 1) {
      const [opener, other] = holdersOf(place).map((each) => customers[each]!);
      const ticketId = await openTicket(current.core, opener!);
      ticketIds.push(ticketId);
      if (!other) continue;
      const grant = { subject_id: other.session.subjectId, ticket_id: ticketId, created_at: 0 };
      await store.store.insertInto('grants').values(grant).execute();
    }
  }

  function replace(): void {
    current.kill();
    for (const each of pages) each.lose();
    ask(
      create().then(async (next) => {
        current = next;
        await next.start();
      }),
    );
  }

  async function signOut(place: number, told: 'session' | 'sessions' | null): Promise<void> {
    const customer = customers[place]!;
    const { subjectId, id } = customer.session;
    await calm.sessions.endAll(subjectId);
    ended.set(id, time.now());
    if (told === 'session') ask(current.core.live.endSession(customer.session));
    if (told === 'sessions') ask(current.core.live.endSessions(subjectId));
    // The customer comes back, such as by a token of the site.
    customers[place] = { ...customer, session: await openSession(calm, subjectId) };
  }

  async function loseRight(place: number, isTold: boolean): Promise<void> {
    const { subjectId } = customers[place]!.session;
    await store.store
      .deleteFrom('grants')
      .where('subject_id', '=', subjectId)
      .where('ticket_id', '=', ticketIds[ofBoth]!)
      .execute();
    if (!ended.has(subjectId)) ended.set(subjectId, time.now());
    if (isTold) current.core.live.restart(subjectId);
    else untold.add(subjectId);
  }

  async function markRead({ who, newest }: Page): Promise<void> {
    const { core } = current;
    const message = newest();
    const grant = who.ticketId && (await core.grants.find(who.session.subjectId, who.ticketId));
    if (grant && message) await core.tickets.markRead({ grant }, message);
  }

  async function perform(each: Step): Promise<void> {
    const seen = 'page' in each ? nth(pages, each.page) : undefined;
    const ticketId = 'ticket' in each && each.ticket !== null ? ticketIds[each.ticket]! : '';
    switch (each.do) {
      case 'answer': {
        const text = `answer ${answers.size}`;
        answers.set(text, { ticket: each.ticket, at: time.now() });
        service.answer(ticketId, text, each.isListed);
        return each.isHinted ? ask(current.core.live.hint(ticketId)) : undefined;
      }
      case 'status':
        return service.setStatus(ticketId, each.status);
      case 'open': {
        const who = { ...customers[each.person]!, ticketId: ticketId || null };
        const onRepeat = (text: string) => {
          if (!isLagging) wrong.push(`repeated: ${text}`);
        };
        pages.push(openPage(who, { time, current: () => current, onAnswer, onRepeat }));
        return;
      }
      case 'close':
        return seen?.close();
      case 'read':
        return seen && ask(markRead(seen));
      case 'drain':
        return seen?.drain();
      case 'stall':
        return seen?.stall();
      case 'cut':
        return seen?.lose();
      case 'reply':
        return ask(reply(current.core, customers[each.person]!, ticketId, 'And now?'));
      case 'ticket':
        return ask(openTicket(current.core, customers[each.person]!));
      case 'sign out':
        return signOut(each.person, each.told);
      case 'lose the right':
        return loseRight(each.person, each.isTold);
      case 'pass':
        return time.pass(each.ms);
      case 'fault of reads':
        for (let left = each.times; left > 0; left -= 1) service.faultRead(each.fault);
        return;
      case 'outage':
        return service.leave(each.ms);
      case 'fault of the store':
        return current.faultStore(each.fault);
      case 'freeze':
        return current.callAt(each.stop, () => current.freeze(each.ms));
      case 'kill':
        return current.callAt(each.stop, replace);
      case 'end': {
        const ending = current;
        ending.core.live.stop();
        void time.sleep(each.ms).then(() => ending === current && replace());
      }
    }
  }

  /** How an open page differs from what its customer may see now. */
  async function lateness(shown: Page): Promise<string[]> {
    const { session, ticketId, email } = shown.who;
    const name = `page of ${email} with ${ticketId ?? 'the list'}`;
    if (ended.has(session.id)) return shown.isSignedOut() ? [] : [`${name}: not signed out`];
    if (shown.isSignedOut()) return [`${name}: signed out for no reason`];
    const lines: string[] = [];
    const mayRead = ticketId && (await calm.grants.find(session.subjectId, ticketId));
    const there = service.tickets.find(({ id }) => id === ticketId)?.messages ?? [];
    const texts = there.filter(({ author }) => author === 'agent').map(({ body }) => body);
    const missing = texts.filter((text) => !shown.answers().includes(text));
    if (mayRead && missing.length > 0) lines.push(`${name}: without ${missing.join(', ')}`);
    const list = (await calm.views.list(session.subjectId)).map((each) => JSON.stringify(each));
    const isSame = JSON.stringify(list.toSorted()) === JSON.stringify(shown.list().toSorted());
    if (!isSame) lines.push(`${name}: shows ${shown.list().join()} instead of ${list.join()}`);
    if (!shown.isFresh()) lines.push(`${name}: says that it is late`);
    return lines;
  }

  async function late(): Promise<string[]> {
    const lines: string[] = [];
    for (const each of pages.filter(({ isOpen }) => isOpen())) lines.push(...(await lateness(each)));
    return lines;
  }

  /** Ends all faults, and waits until all pages show everything, or for as long as that may take. */
  async function heal(): Promise<string[]> {
    service.heal();
    current.spare();
    for (const each of pages) each.drain();
    for (const subjectId of untold) current.core.live.restart(subjectId);
    let lines = await late();
    for (let passed = 0; lines.length > 0 && passed < healMs; passed += checkEveryMs) {
      await time.pass(checkEveryMs);
      lines = await late();
    }
    return lines;
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
    current.kill();
    return wrong;
  } finally {
    uninstall();
  }
}
