/*
 * When a background read of the service may begin, and which one is next. This module knows nothing of tickets: a read
 * is a name and a function.
 */

/** The most urgent first: the list is due, a hint came, the list shows a change; the rest. */
const priorities = ['list', 'hint', 'moved', 'rest'] as const;
type Priority = (typeof priorities)[number];
type Urgency = Exclude<Priority, 'rest'>;

/**
 * How many turns in a row one priority takes while a lower one waits. With endless hints, or with false changes in a
 * list, the other reads still get a quarter of the turns. With both, they get a sixteenth. Only one list is due at a
 * time.
 */
const mostInARow: Record<Priority, number> = { list: Infinity, hint: 3, moved: 3, rest: Infinity };

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
  priority: Priority;
  read: () => Promise<void>;
  /** The begin and the end of its turn in the order of the rest. An urgent read has none. */
  start: number;
  finish: number;
}

/**
 * All reads that wait, each name once at its highest priority. Urgent reads come in the order of asking. The rest
 * shares its turns by start-time fair queueing: each read has an interval, and when there are too few turns, all wait
 * the same multiple of their intervals. A read every 2 s gets four times as many turns as one every 8 s. None starves,
 * because the finish of served reads grows beyond that of a waiting one. A new read starts at the current progress, so
 * it has no claim on the past.
 */
export function createQueue() {
  /** In the order of asking. */
  const waiting = new Map<string, Waiting>();
  /** The finish of each name's last turn, in the unit of the intervals. */
  const paid = new Map<string, number>();
  const inARow: Record<Priority, number> = { list: 0, hint: 0, moved: 0, rest: 0 };
  /** The latest start of a turn. */
  let progress = 0;

  function put(one: Waiting): void {
    waiting.delete(one.name);
    waiting.set(one.name, one);
  }

  /** The next read of each priority. */
  function heads(): Map<Priority, Waiting> {
    const found = new Map<Priority, Waiting>();
    for (const one of waiting.values()) {
      const head = found.get(one.priority);
      if (!head || one.finish < head.finish) found.set(one.priority, one);
    }
    return found;
  }

  function next(): Waiting | undefined {
    const found = heads();
    for (const [index, priority] of priorities.entries()) {
      const head = found.get(priority);
      if (!head) continue;
      const isAlone = !priorities.slice(index + 1).some((lower) => found.has(lower));
      inARow[priority] = isAlone || inARow[priority] >= mostInARow[priority] ? 0 : inARow[priority] + 1;
      if (isAlone || inARow[priority] > 0) return head;
    }
    return undefined;
  }

  return {
    /** Adds a read that wants a turn every `everyMs`. A waiting read moves forward if it now wants a turn sooner. */
    ask(name: string, everyMs: number, read: () => Promise<void>): void {
      const start = Math.max(progress, paid.get(name) ?? 0);
      const finish = start + everyMs;
      const current = waiting.get(name);
      if (current && (current.priority !== 'rest' || current.finish <= finish)) return;
      put({ name, priority: 'rest', read, start, finish });
    },
    askNow(name: string, priority: Urgency, read: () => Promise<void>): void {
      const current = waiting.get(name);
      if (current && priorities.indexOf(current.priority) <= priorities.indexOf(priority)) return;
      put({ name, priority, read, start: 0, finish: 0 });
    },
    /** Removes and returns the next read. Undefined when none waits. */
    take(): Waiting | undefined {
      const one = next();
      if (!one) return undefined;
      waiting.delete(one.name);
      if (one.priority !== 'rest') return one;
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
    /** Queues an urgent read after the others of this urgency, unless it waits with this or a higher urgency. */
    askNow(name: string, urgency: Urgency, read: () => Promise<void>): void {
      queue.askNow(name, urgency, read);
      run();
    },
    /** Queues a read that wants a turn every `everyMs`, unless it waits as an urgent one. */
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
