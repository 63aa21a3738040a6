import { chooseFault, type Fault, type WrongDate, wrongDates } from './faults.ts';
import type { CustomerPlan, FilePlan, Send } from './plan.ts';
import { everything, type Profile } from './profiles.ts';
import { createRandom, type Random } from './random.ts';
import type { Span } from './spans.ts';

/** All events of one run, determined by its seed. */
export interface Schedule {
  seed: number;
  hasFooter: boolean;
  hasFiles: boolean;
  customers: CustomerPlan[];
  /** By send (`callName`): the faults of its first, second, … attempt. */
  writes: Map<string, (Fault | null)[]>;
  /** The faults of the first, second, … read of the service. */
  reads: (Fault | null)[];
  /** While one of these lasts, the service refuses connections. */
  outages: Span[];
  /** Where the first, second, … process of the BFF ends itself: `name:n`. */
  failpoints: string[];
  /** While one of these lasts, every answer has that `Date`. */
  wrongDates: (Span & { date: WrongDate })[];
  /** While one of these lasts, the disk takes no byte of a file. */
  fullDisks: Span[];
  /** When the store is copied. In the end it is set back to the copy. Null: never. Virtual milliseconds. */
  copyAtMs: number | null;
}

const failpoints = ['accepting', 'accepted', 'sending', 'answered', 'recorded', 'looked', 'settled'];
const uploadFailpoints = ['arrived', 'kept', 'uploaded'];
const largestFile = 200_000;
const faultyAttempts = 4;
const faultyReads = 40;
const longestOutageMs = 30_000;
/** Before the store is copied, so that the copy holds much as not sent. */
const firstOutageMs = 12_000;

/** The name of a write to the service. Writes with the same name share their faults. */
export const callName = {
  ticket: (email: string, subject: string) => `${email} opens ${subject}`,
  message: (text: string) => `reply ${text}`,
};

/** None without a draw, so that other profiles keep the schedules of their seeds. */
function planFiles(random: Random, { files }: Profile, name: string): FilePlan[] {
  if (files === 0 || !random.chance(files)) return [];
  return Array.from({ length: random.between(1, 2) }, (_, nth) => ({
    name: `${name}-${nth}.txt`,
    size: random.between(1, largestFile),
    isCut: random.chance(0.3),
    isTwice: random.chance(0.2),
  }));
}

function planCustomer(random: Random, profile: Profile, seed: number, number: number): CustomerPlan {
  const email = `c${number}.s${seed}@example.com`;
  const send = (text: string, name: string): Send => ({
    text,
    files: planFiles(random, profile, `s${seed}-c${number}-${name}`),
    posting: random.pick(profile.postings),
    pauseMs: random.between(0, profile.longestPauseMs),
    sendsAgain: random.chance(0.5),
  });
  const tickets = Array.from({ length: random.between(...profile.tickets) }, (_, nth) => {
    const isEqual = random.chance(profile.equalTexts);
    const subject = isEqual ? 'Where is my order?' : `Question ${number}.${nth}`;
    const replies = Array.from({ length: random.between(...profile.replies) }, (_each, reply) => ({
      ...send(
        `${number}.${nth} ${random.chance(profile.equalTexts) ? 'Any news?' : `Reply ${reply}`}`,
        `t${nth}-r${reply}`,
      ),
      isEager: random.chance(profile.eagerReplies),
      looksFirst: random.chance(profile.looks),
    }));
    return { ...send(`${subject} It has been a while.`, `t${nth}`), subject, replies };
  });
  return { email, tickets, unsent: planFiles(random, profile, `s${seed}-c${number}-unsent`) };
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
  const points = profile.files > 0 ? [...failpoints, ...uploadFailpoints] : failpoints;
  return {
    seed,
    hasFooter: random.chance(profile.hasFooter),
    hasFiles: profile.files > 0,
    customers,
    writes: planWrites(random, profile, customers),
    reads: planFaults(random, profile, faultyReads, profile.readFaults),
    outages: profile.setsBack
      ? [{ fromMs: 0, toMs: firstOutageMs }]
      : some(profile.outages, 2, () => planSpan(random)),
    failpoints: some(profile.failpoints, 3, () => `${random.pick(points)}:${random.between(1, 4)}`),
    wrongDates: some(profile.wrongDates, 2, () => ({
      ...planSpan(random),
      date: random.pick(Object.keys(wrongDates) as WrongDate[]),
    })),
    fullDisks: profile.files > 0 ? some(0.5, 2, () => planSpan(random)) : [],
    copyAtMs: profile.setsBack ? random.between(firstOutageMs / 2, firstOutageMs) : null,
  };
}
