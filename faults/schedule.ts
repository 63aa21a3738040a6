import { chooseFault, commits, type Fault, type FaultChoice, manners, nameOf } from './faults.ts';
import { createRandom, type Random } from './random.ts';

/** How the customer's browser brings one send to the BFF. */
export type Posting =
  | 'once'
  /** Two tabs, or a double click: the same key twice at once. */
  | 'twice'
  /** It goes away before the answer, and comes back with the same key. */
  | 'reloaded';

interface Send {
  text: string;
  posting: Posting;
  /** Virtual milliseconds that the customer waits before it. */
  pauseMs: number;
  /** Whether the customer presses "Send again" when it is theirs to decide. */
  sendsAgain: boolean;
}

export interface ReplyPlan extends Send {
  /** Sent also while its ticket still waits; else only once the ticket is there. */
  isEager: boolean;
  /** Whether the conversation is looked at before it. */
  looksFirst: boolean;
}

export interface TicketPlan extends Send {
  subject: string;
  replies: ReplyPlan[];
}

export interface CustomerPlan {
  email: string;
  tickets: TicketPlan[];
}

/** Virtual milliseconds since the run began. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** All that happens in one run, as its seed decides. */
export interface Schedule {
  seed: number;
  hasFooter: boolean;
  customers: CustomerPlan[];
  /** By what is sent (`callName`): what goes wrong with its first, second, … attempt. */
  writes: Map<string, (Fault | null)[]>;
  /** What goes wrong with the first, second, … read of the service. */
  reads: (Fault | null)[];
  /** While one of these lasts, the service refuses connections. */
  outages: Span[];
  /** Which of the two keys is refused, and when. */
  revocations: (Span & { key: 0 | 1 })[];
  /** Where the first, second, … process of the BFF ends itself: `name:n`. */
  failpoints: string[];
}

/** What a profile may steer: probabilities from 0 to 1. */
export interface Profile {
  customers: number;
  tickets: [least: number, most: number];
  replies: [least: number, most: number];
  /** That a text is the same as others. */
  equalTexts: number;
  eagerReplies: number;
  looks: number;
  hasFooter: number;
  longestPauseMs: number;
  postings: readonly Posting[];
  writeFaults: number;
  readFaults: number;
  faults: FaultChoice;
  outages: number;
  revocations: number;
  failpoints: number;
}

export const everything: Profile = {
  customers: 4,
  tickets: [1, 2],
  replies: [0, 3],
  equalTexts: 0.5,
  eagerReplies: 0.4,
  looks: 0.3,
  hasFooter: 0.6,
  longestPauseMs: 8_000,
  postings: ['once', 'once', 'once', 'twice', 'reloaded'],
  writeFaults: 0.45,
  readFaults: 0.2,
  faults: { manners: [...manners, 'reset', 'hang', 'reset', 'hang'], commits, latestMs: 30_000 },
  outages: 0.3,
  revocations: 0.3,
  failpoints: 0.5,
};

/** Equal tickets of the same customer at the same time, which nothing but their times tells apart. */
const equalTickets: Profile = {
  ...everything,
  customers: 6,
  tickets: [3, 4],
  replies: [0, 0],
  equalTexts: 1,
  hasFooter: 0,
  longestPauseMs: 25_000,
  postings: ['once'],
  writeFaults: 0.6,
  readFaults: 0,
  faults: { manners: ['reset', 'hang'], commits: ['never', 'late'], latestMs: 30_000 },
  outages: 0,
  revocations: 0,
  failpoints: 0,
};

export const profiles = { everything, 'equal-tickets': equalTickets };

const failpoints = ['accepting', 'accepted', 'sending', 'answered', 'recorded', 'looked', 'settled'];
const faultyAttempts = 4;
const faultyReads = 40;
const longestOutageMs = 30_000;

/** What a write to the service is known by: equal ones share their faults. */
export const callName = {
  ticket: (email: string, subject: string) => `${email} opens ${subject}`,
  message: (text: string) => `reply ${text}`,
};

function planCustomer(random: Random, profile: Profile, seed: number, number: number): CustomerPlan {
  const email = `c${number}.s${seed}@example.com`;
  const send = (text: string): Send => ({
    text,
    posting: random.pick(profile.postings),
    pauseMs: random.between(0, profile.longestPauseMs),
    sendsAgain: random.chance(0.5),
  });
  const tickets = Array.from({ length: random.between(...profile.tickets) }, (_, nth) => {
    const isEqual = random.chance(profile.equalTexts);
    const subject = isEqual ? 'Where is my order?' : `Question ${number}.${nth}`;
    const replies = Array.from({ length: random.between(...profile.replies) }, (_each, reply) => ({
      ...send(`${number}.${nth} ${random.chance(profile.equalTexts) ? 'Any news?' : `Reply ${reply}`}`),
      isEager: random.chance(profile.eagerReplies),
      looksFirst: random.chance(profile.looks),
    }));
    return { ...send(`${subject} It has been a while.`), subject, replies };
  });
  return { email, tickets };
}

function planWrites(random: Random, profile: Profile, customers: readonly CustomerPlan[]) {
  const sends = customers.flatMap(({ email, tickets }) =>
    tickets.flatMap(({ subject, replies }) => [
      callName.ticket(email, subject),
      ...replies.map(({ text }) => callName.message(text)),
    ]),
  );
  const writes: Schedule['writes'] = new Map();
  for (const name of new Set(sends)) {
    const times = sends.filter((other) => other === name).length;
    writes.set(name, planFaults(random, profile, faultyAttempts + times - 1, profile.writeFaults));
  }
  return writes;
}

const planFaults = (random: Random, profile: Profile, calls: number, probability: number) =>
  Array.from({ length: calls }, () =>
    random.chance(probability) ? chooseFault(random, profile.faults) : null,
  );

function planSpan(random: Random): Span {
  const fromMs = random.between(0, 20_000);
  return { fromMs, toMs: fromMs + random.between(1_000, longestOutageMs) };
}

/** The same for the same seed and profile. */
export function createSchedule(seed: number, profile: Profile = everything): Schedule {
  const random = createRandom(seed);
  const some = <T>(probability: number, most: number, make: () => T): T[] =>
    random.chance(probability) ? Array.from({ length: random.between(1, most) }, make) : [];
  const customers = Array.from({ length: profile.customers }, (_, number) =>
    planCustomer(random, profile, seed, number),
  );
  return {
    seed,
    hasFooter: random.chance(profile.hasFooter),
    customers,
    writes: planWrites(random, profile, customers),
    reads: planFaults(random, profile, faultyReads, profile.readFaults),
    outages: some(profile.outages, 2, () => planSpan(random)),
    revocations: some(profile.revocations, 2, () => ({
      ...planSpan(random),
      key: random.pick([0, 1] as const),
    })),
    failpoints: some(profile.failpoints, 3, () => `${random.pick(failpoints)}:${random.between(1, 4)}`),
  };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const describeSpan = ({ fromMs, toMs }: Span) => `${seconds(fromMs)} to ${seconds(toMs)}`;
function describeFaults(faults: readonly (Fault | null)[]): string {
  const each = faults.map((fault) => {
    if (!fault) return 'passes';
    return fault.commit === 'late' ? `${nameOf(fault)} (${seconds(fault.lateMs)})` : nameOf(fault);
  });
  return each.join(' | ');
}

function describeSend({ text, posting, pauseMs, sendsAgain }: Send): string {
  return `${JSON.stringify(text)} after ${seconds(pauseMs)}, ${posting}${sendsAgain ? ', sends again' : ''}`;
}

/** For whoever reads a run that failed: one line a send, one a fault list. */
export function describeSchedule(schedule: Schedule): string {
  const { seed, hasFooter, customers, writes, reads, outages, revocations } = schedule;
  return [
    `seed ${seed}, footer ${hasFooter ? 'on' : 'off'}`,
    ...customers.flatMap(({ email, tickets }) =>
      tickets.flatMap((ticket) => [
        `${email} opens ${JSON.stringify(ticket.subject)}: ${describeSend(ticket)}`,
        ...ticket.replies.map(
          (reply) =>
            `    replies${reply.looksFirst ? ' after a look' : ''}${reply.isEager ? ', waiting or not' : ''}: ${describeSend(reply)}`,
        ),
      ]),
    ),
    ...[...writes]
      .filter(([, faults]) => faults.some(Boolean))
      .map(([name, faults]) => `fault: ${name}: ${describeFaults(faults)}`),
    `reads: ${describeFaults(reads)}`,
    ...outages.map((span) => `outage: ${describeSpan(span)}`),
    ...revocations.map((span) => `key ${span.key} refused: ${describeSpan(span)}`),
    ...(schedule.failpoints.length > 0 ? [`failpoints: ${schedule.failpoints.join(', ')}`] : []),
  ].join('\n');
}
