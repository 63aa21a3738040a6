/*
 * When a background read of the service may begin, and which one is next. This module knows nothing of tickets: a read
 * is a name and a function.
 */

/**
 * How many turns in a row urgent reads take while others wait: with endless hints, or a list that shows false changes,
 * the others still get a quarter.
 */
const mostUrgentInARow = 3;

/**
 * Of the client's 16 connections for reads. The remaining ones are for customers who open a thread and for sends in
 * doubt.
 */
export const maxUnderWay = 12;

/** Turns missed for up to this long, because of a busy machine or a lack of requests, are made up for. */
const slackMs = 250;

/**
 * Decides when the next turn may be taken. Turns come at even intervals, so that a new request waits for one interval
 * at most. At most `perSecond` turns are taken in any second; it is a whole number and may change. Times are from
 * `elapsed`, in milliseconds.
 */
export function createPace(perSecond: () => number, elapsed: () => number) {
  /** The times of the last `perSecond` turns. */
  const taken: number[] = [];
  let evenAt = -Infinity;
  const secondIsOverAt = () => (taken.at(-perSecond()) ?? -Infinity) + 1_000;
  return {
    waitMs: (): number => Math.max(0, Math.max(evenAt, secondIsOverAt()) - elapsed()),
    take(): void {
      const now = elapsed();
      // Turns that the limit per second forbade were not missed. Making up for them would cause a burst every second.
      evenAt = Math.max(evenAt, now - slackMs, secondIsOverAt()) + 1_000 / perSecond();
      taken.push(now);
      taken.splice(0, taken.length - perSecond());
    },
  };
}

interface Waiting {
  name: string;
  isUrgent: boolean;
  read: () => Promise<void>;
  /** The begin and the end of its turn in the order of the rest. An urgent read has none. */
  start: number;
  finish: number;
}

/**
 * All reads that wait, each name once. Urgent reads come in the order of asking. The rest shares its turns by start-time
 * fair queueing: each read has an interval, and when there are too few turns, all wait the same multiple of their
 * intervals. A read every 2 s gets four times as many turns as one every 8 s. None starves, because the finish of served
 * reads grows beyond that of a waiting one. A new read starts at the current progress, so it has no claim on the past.
 */
export function createQueue() {
  /** In the order of asking. */
  const waiting = new Map<string, Waiting>();
  /** The finish of each name's last turn, in the unit of the intervals. */
  const paid = new Map<string, number>();
  let urgentInARow = 0;
  /** The latest start of a turn. */
  let progress = 0;

  function next(): Waiting | undefined {
    let urgent: Waiting | undefined;
    let first: Waiting | undefined;
    for (const one of waiting.values()) {
      if (one.isUrgent) urgent ??= one;
      else if (!first || one.finish < first.finish) first = one;
    }
    const isRestDue = first !== undefined && urgentInARow >= mostUrgentInARow;
    if (!urgent || isRestDue) {
      urgentInARow = 0;
      return first;
    }
    urgentInARow = first ? urgentInARow + 1 : 0;
    return urgent;
  }

  return {
    /** Adds a read that wants a turn every `everyMs`, unless it waits already. */
    ask(name: string, everyMs: number, read: () => Promise<void>): void {
      if (waiting.has(name)) return;
      const start = Math.max(progress, paid.get(name) ?? 0);
      waiting.set(name, { name, isUrgent: false, read, start, finish: start + everyMs });
    },
    /** Adds an urgent read, or makes a waiting one urgent. */
    askNow(name: string, read: () => Promise<void>): void {
      if (waiting.get(name)?.isUrgent) return;
      waiting.delete(name);
      waiting.set(name, { name, isUrgent: true, read, start: 0, finish: 0 });
    },
    /** Removes and returns the next read. Undefined when none waits. */
    take(): Waiting | undefined {
      const one = next();
      if (!one) return undefined;
      waiting.delete(one.name);
      if (one.isUrgent) return one;
      paid.set(one.name, one.finish);
      progress = Math.max(progress, one.start);
      return one;
    },
    /** Removes everything that is known of the name. */
    forget(name: string): void {
      waiting.delete(name);
      paid.delete(name);
    },
    clear: (): void => waiting.clear(),
    has: (name: string): boolean => waiting.has(name),
    get size(): number {
      return waiting.size;
    },
  };
}

/**
 * Makes background reads, one turn each. At most `perSecond` reads begin in any second, and none while the service asks
 * for a pause.
 * @param heldMs the length of the service's pause, in milliseconds
 * @param onError called when a read rejects
 */
export function createTurns({
  perSecond,
  elapsed,
  heldMs,
  onError,
}: {
  perSecond: () => number;
  elapsed: () => number;
  heldMs: () => number;
  onError: (error: unknown) => void;
}) {
  const queue = createQueue();
  const pace = createPace(perSecond, elapsed);
  let timer: NodeJS.Timeout | undefined;
  let underWay = 0;

  function run(): void {
    clearTimeout(timer);
    while (queue.size > 0 && underWay < maxUnderWay) {
      const waitMs = Math.max(pace.waitMs(), heldMs());
      if (waitMs > 0) {
        timer = setTimeout(run, Math.ceil(waitMs));
        timer.unref();
        return;
      }
      pace.take();
      underWay += 1;
      void queue
        .take()!
        .read()
        .catch(onError)
        .finally(() => {
          underWay -= 1;
          run();
        });
    }
  }

  return {
    /** Queues an urgent read after the other urgent ones, unless it is one of them. */
    askNow(name: string, read: () => Promise<void>): void {
      queue.askNow(name, read);
      run();
    },
    /** Queues a read that wants a turn every `everyMs`, unless it waits already. */
    ask(name: string, everyMs: number, read: () => Promise<void>): void {
      queue.ask(name, everyMs, read);
      run();
    },
    /** Removes a read for good. */
    cancel(name: string): void {
      queue.forget(name);
      if (queue.size === 0) clearTimeout(timer);
    },
    isWaiting: queue.has,
    /** Drops all waiting reads. */
    stop(): void {
      queue.clear();
      clearTimeout(timer);
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;
