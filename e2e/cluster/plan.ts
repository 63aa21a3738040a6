import { createRandom, type Random } from '../faults/schedules/random.ts';
import type { CustomerPlan, Posting, ReplyPlan, Send, TicketPlan } from '../faults/schedules/plan.ts';

export const eventKinds = [
  'killed',
  'frozen past the lease',
  'ended',
  'cut off from the database',
  'database away from all',
  'connections ended by PostgreSQL',
  'pooler started again',
  'clock set',
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface PlannedEvent {
  kind: EventKind;
  /** The affected instance, for kinds that affect one. */
  instance: number;
  /** Milliseconds before it, from the end of the one before. */
  pauseMs: number;
  /** The error of its wall clock after the event, if the event sets the clock, in milliseconds. */
  clockOffMs: number;
}

/** The average time between arrivals of customers. Opening a ticket is the most work. */
const betweenArrivalsMs = 150;
const minuteMs = 60_000;
/** How far the event that sets a clock puts it from the right time. */
const clockJumps = [120, -120, 60, -60, 11, -11].map((minutes) => minutes * minuteMs);
const pausesMs = { least: 4_000, most: 9_000 };
/** From one reply of a customer to their next, in milliseconds. */
const repliesMs = { least: 15_000, most: 45_000 };
const postings: readonly Posting[] = ['once', 'once', 'once', 'once', 'twice', 'reloaded'];
const secondTicketShare = 0.1;

export const nameOfCustomer = (number: number) => `customer${number}@example.com`;
/** A marker in every text of this customer, and of agents to the customer. */
export const markerOf = (number: number) => `[c${number}]`;

/** The customers whose markers or addresses are in a text. */
export const customersIn = (text: string): Set<number> =>
  new Set(
    [...text.matchAll(/\[c(\d+)\]|\bcustomer(\d+)@/g)].map(([, marker, name]) => Number(marker ?? name)),
  );

/** More events than fit into the run, which stops when its time is over. Each round has every kind once. */
export function planEvents(seed: number, instances: number, rounds: number): PlannedEvent[] {
  const random = createRandom(seed);
  return Array.from({ length: rounds }, () => shuffled(eventKinds, random)).flatMap((kinds) =>
    kinds.map((kind) => ({
      kind,
      instance: random.between(0, instances - 1),
      pauseMs: random.between(pausesMs.least, pausesMs.most),
      clockOffMs: random.pick(clockJumps),
    })),
  );
}

function shuffled<T>(all: readonly T[], random: Random): T[] {
  const left = [...all];
  return all.map(() => left.splice(random.between(0, left.length - 1), 1)[0]!);
}

/** Milliseconds until all customers have started. */
export const arrivalMs = (customers: number) => customers * betweenArrivalsMs;

/** The sends of each customer during `forMs` milliseconds. */
export function planCustomers(seed: number, customers: number, forMs: number): CustomerPlan[] {
  const random = createRandom(seed + 1);
  return Array.from({ length: customers }, (_, number) => {
    const send = (text: string, pauseMs: number): Send => ({
      text: `${markerOf(number)} ${text}`,
      files: [],
      posting: random.pick(postings),
      pauseMs,
      sendsAgain: true,
    });
    const ticket = (nth: number, pauseMs: number): TicketPlan => {
      const replies: ReplyPlan[] = [];
      for (let at = pauseMs; ;) {
        const replyPauseMs = random.between(repliesMs.least, repliesMs.most);
        at += replyPauseMs;
        if (at > forMs) break;
        const text = `reply ${nth}.${replies.length}`;
        replies.push({
          ...send(text, replyPauseMs),
          isEager: random.chance(0.3),
          looksFirst: random.chance(0.2),
        });
      }
      return { ...send(`question ${nth}`, pauseMs), subject: `${markerOf(number)} subject ${nth}`, replies };
    };
    const first = ticket(0, random.between(0, arrivalMs(customers)));
    const tickets = random.chance(secondTicketShare)
      ? [first, ticket(1, random.between(0, forMs / 2))]
      : [first];
    return { email: nameOfCustomer(number), tickets, unsent: [] };
  });
}
