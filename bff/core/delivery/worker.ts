import { setTimeout as sleep } from 'node:timers/promises';
import type { Histogram } from 'prom-client';
import { watchForJumps } from '../clock.ts';
import { failpoint } from '../failpoint.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Operations } from '../tickets/operations.ts';
import { noTracer, type Span, type Tracer } from '../tracer.ts';
import { createBreaker } from '../v1/breaker.ts';
import { isUntriedAndDue, type Queue } from './due.ts';
import type { Ledger } from './ledger.ts';
import type { Sender, Step } from './send.ts';
import { createWaiting } from './waiting.ts';

/*
 * Decides when operations are sent and settled, and how many at once. It knows neither the service nor the conditions
 * of a send: `send.ts` makes each step, and the claim of the ledger decides whether a send may begin.
 */

export interface WorkerDeps {
  ledger: Ledger;
  queue: Queue;
  sender: Sender;
  operations: Pick<Operations, 'byId'>;
  durations: Pick<Histogram<'kind' | 'state'>, 'observe'>;
  tracer?: Tracer;
  now: () => number;
  elapsed: () => number;
  /** Called when the wall clock was set, by `aheadMs` milliseconds ahead or, if negative, back. */
  onJump: (aheadMs: number) => void;
  onError: (error: unknown) => void;
}

/** How many operations are sent at once because a request has just recorded them. Further ones wait for a poll. */
const placesForRequests = 48;
/** How many that polls found are sent or settled at once. A service that was down must not get all that waited at once. */
const placesForPolls = 16;

/** The pauses after an unexpected error, such as a full disk, double from the first to the longest. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
const nextPauseMs = (pauseMs: number) => Math.min(pauseMs * 2, longestPauseMs);

/**
 * Sends and settles due operations, many at once. While the service is down, it tries new operations and few others.
 */
export function createWorker(deps: WorkerDeps) {
  const { ledger, queue, operations, durations, now, elapsed, onJump, onError } = deps;
  /** The operations that this process sends or settles at the moment, by their ids. */
  const inProgress = new Map<string, { isFound: boolean; work: Promise<void> }>();
  const postponed = createPostponed(elapsed);
  const breaker = createBreaker(elapsed);
  const waiting = createWaiting({ operations, queue });
  const polling = createPolling({ poll, elapsed, onError });
  const steps = createSteps({ ...deps, breaker, onRecorded: publish, onUnrecorded: waiting.onChange });
  const listeners = new Set<(row: OperationRow) => void>();
  let stopWatching = () => {};
  let isRunning = false;
  /** The wall clock was set, so due times in the store may be far in the future. */
  let isClockNew = false;

  function publish(row: OperationRow): void {
    const { kind, state, created_at: createdAt, finished_at: finishedAt } = row;
    // The clock may have been set back in between.
    if (finishedAt !== null) durations.observe({ kind, state }, Math.max(0, finishedAt - createdAt) / 1_000);
    waiting.onChange(row);
    for (const listener of listeners) listener(row);
  }

  const countInProgress = (found: boolean) =>
    [...inProgress.values()].filter(({ isFound }) => isFound === found).length;

  function run(row: OperationRow, isFound: boolean): Promise<void> {
    const work = steps
      .run(row)
      .then(
        () => postponed.delete(row.id),
        () => postponed.add(row.id),
      )
      .finally(() => {
        inProgress.delete(row.id);
        // What waited for this place, or for this operation, is found by a poll.
        polling.soon();
      })
      .then(() => {});
    inProgress.set(row.id, { isFound, work });
    return work;
  }

  /** Sends an operation that a request has just recorded, if it may be its turn. Undefined: a poll finds it. */
  function runNew(row: OperationRow): Promise<void> | undefined {
    const isFirst = isUntriedAndDue(row, now()) && !inProgress.has(row.id) && !postponed.has(row.id);
    if (isRunning && isFirst && countInProgress(false) < placesForRequests) return run(row, false);
    polling.soon();
    return undefined;
  }

  async function bringForward(): Promise<void> {
    isClockNew = false;
    await ledger.bringForward().catch((error: unknown) => {
      isClockNew = true;
      throw error;
    });
  }

  async function settleAbandoned(at: number): Promise<void> {
    for (const row of await queue.abandoned(at)) {
      // This process waits until the store answers, or accepts the answer of the service.
      if (inProgress.has(row.id)) continue;
      const next = await ledger.move(row, { type: 'abandoned' });
      if (next) publish(next);
      // It became due now, after `at`.
      polling.soon();
    }
  }

  /** Starts what is due. Resolves with the time until more becomes due, in milliseconds. */
  async function poll(): Promise<number> {
    if (isClockNew) await bringForward();
    // One reading for both statements: an operation that becomes due between two readings would be missed by both.
    const [at, since] = [now(), elapsed()];
    postponed.forgetOld();
    // Operations in progress may still be due, so they count among the results.
    const upcoming = await queue.poll(at, placesForRequests + placesForPolls + postponed.size);
    if (upcoming.hasAbandoned) await settleAbandoned(at);
    if (!isRunning) return Infinity;
    const due = upcoming.due.filter(({ id }) => !inProgress.has(id) && !postponed.isPaused(id, since));
    // A customer waits for a new operation, so it is sent even while the breaker is open.
    const free = due
      .slice(0, Math.max(0, placesForPolls - countInProgress(true)))
      .filter((row) => isUntriedAndDue(row, at) || breaker.allows());
    for (const row of free) void run(row, true);
    const probes = due.length > 0 && breaker.isOpen ? [breaker.nextTryAt] : [];
    const pauses = [...postponed.ends(), ...probes]
      .filter((time) => time > since)
      .map((time) => time - elapsed());
    return Math.min(upcoming.nextAt - now(), ...pauses);
  }

  return {
    /** Polls soon. Otherwise polls come by themselves, after the ends of sends and by a timer. */
    poll: polling.soon,

    /**
     * Sends an operation that was just recorded, as soon as it may be sent. Resolves with it once its outcome or the
     * time of its next attempt is known, or with its state after `maxMs`; at once when the worker has stopped.
     */
    follow(row: OperationRow, maxMs: number): Promise<OperationRow> {
      const outcome = waiting.outcome(row, isRunning ? maxMs : 0);
      // It may have changed since it was read, or not be its turn. If the store fails, the wait ends after `maxMs`.
      void (runNew(row) ?? Promise.resolve()).then(() => waiting.look(row)).catch(() => {});
      return outcome;
    },

    /** Publishes a change that was made by other code, and polls for operations that became due by it. */
    announce(row: OperationRow): void {
      publish(row);
      polling.soon();
    },

    /** Tells the requests that wait here about a change that another process has made. */
    changedElsewhere: (row: OperationRow): void => waiting.onChange(row),

    /** Calls `listener` with each changed operation. Returns the function that unsubscribes. */
    onChange(listener: (row: OperationRow) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    isBreakerOpen: (): boolean => breaker.isOpen,

    async start(): Promise<void> {
      steps.start();
      isRunning = true;
      isClockNew = true;
      stopWatching = watchForJumps({ now, elapsed }, (aheadMs) => {
        isClockNew = true;
        onJump(aheadMs);
        polling.soon();
      });
      polling.start();
    },

    /** Takes no more operations, ends the waits for those not in progress, and finishes those in progress. */
    async stop(): Promise<void> {
      isRunning = false;
      const polled = polling.stop();
      stopWatching();
      steps.stop();
      waiting.release(({ id }) => !inProgress.has(id));
      await polled;
      await Promise.all([...inProgress.values()].map(({ work }) => work));
      waiting.release(() => true);
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;

/** The shortest time from one poll to the next. */
const minPollGapMs = 25;
/** The longest pause between polls. Operations that another process has abandoned are found by the next poll. */
const maxPollGapMs = 15_000;

/** Polls, one at a time: soon after it is asked to, and by a timer. `poll` resolves with the time until the next. */
function createPolling(deps: {
  poll: () => Promise<number>;
  elapsed: () => number;
  onError: (error: unknown) => void;
}) {
  const { poll, elapsed, onError } = deps;
  let timer: NodeJS.Timeout | undefined;
  /** By the monotonic clock: when the timer starts the next poll, and the earliest time for it. */
  let startsAt = Infinity;
  let notBefore = -Infinity;
  let isStopped = true;
  let latest = Promise.resolve();

  function plan(at: number): void {
    const time = Math.max(at, notBefore);
    if (isStopped) return;
    // The timer is late, since the process was frozen.
    if (startsAt <= elapsed()) return begin();
    if (time >= startsAt) return;
    clearTimeout(timer);
    startsAt = time;
    timer = setTimeout(begin, Math.max(0, time - elapsed()));
  }

  function begin(): void {
    clearTimeout(timer);
    startsAt = Infinity;
    latest = latest.then(run);
  }

  async function run(): Promise<void> {
    if (isStopped) return;
    notBefore = elapsed() + minPollGapMs;
    try {
      const nextMs = await poll();
      plan(elapsed() + Math.min(nextMs, maxPollGapMs));
    } catch (error) {
      onError(error);
      // The store is down.
      notBefore = elapsed() + firstPauseMs;
      plan(notBefore);
    }
  }

  const soon = () => plan(elapsed());
  return {
    soon,
    start(): void {
      isStopped = false;
      soon();
    },
    /** Resolves when a poll that is under way has ended. */
    stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      startsAt = Infinity;
      return latest;
    },
  };
}

/** Operations that failed with an unexpected error here, and the ends of their pauses by the monotonic clock. */
function createPostponed(elapsed: () => number) {
  const pauses = new Map<string, { untilMs: number; pauseMs: number }>();
  return {
    get size() {
      return pauses.size;
    },
    has: (id: string): boolean => pauses.has(id),
    add(id: string): void {
      const before = pauses.get(id);
      const pauseMs = before ? nextPauseMs(before.pauseMs) : firstPauseMs;
      pauses.set(id, { untilMs: elapsed() + pauseMs, pauseMs });
    },
    delete: (id: string): boolean => pauses.delete(id),
    isPaused: (id: string, at: number): boolean => (pauses.get(id)?.untilMs ?? at) > at,
    ends: (): number[] => [...pauses.values()].map(({ untilMs }) => untilMs),
    /** Forgets operations whose retry in this process is overdue: another process must have finished them. */
    forgetOld(): void {
      for (const [id, { untilMs }] of pauses) if (untilMs < elapsed() - longestPauseMs) pauses.delete(id);
    },
  };
}

interface StepDeps extends Pick<WorkerDeps, 'sender' | 'operations' | 'tracer' | 'onError'> {
  breaker: { report: (isAnswered: boolean) => void };
  /** Called with the row that was recorded. */
  onRecorded: (row: OperationRow) => void;
  /** Called with the current row after each failure to record its outcome. */
  onUnrecorded: (row: OperationRow) => void;
}

/** Makes the next step of one operation, sending or settling it, and records the outcome. */
function createSteps(deps: StepDeps) {
  const { sender, operations, tracer = noTracer, breaker, onRecorded, onUnrecorded, onError } = deps;
  /** Ends the pauses between the attempts to record an outcome. */
  let stopping = new AbortController();

  /**
   * Records an outcome, and retries while the store fails: the answer of the service must not be lost. After a failure
   * the row is read: the store may have recorded the outcome though its answer was lost.
   * @returns the new state; null when another process has changed the operation, or this one stops first
   */
  async function record({ row, record: write }: Step): Promise<OperationRow['state'] | null> {
    let hasFailed = false;
    for (let pauseMs = firstPauseMs; ; pauseMs = nextPauseMs(pauseMs)) {
      try {
        const next = (await write()) ?? (hasFailed ? await operations.byId(row.id) : null);
        failpoint(row.state === 'unknown' ? 'settled' : 'recorded');
        if (next) onRecorded(next);
        return next?.state ?? null;
      } catch (error) {
        hasFailed = true;
        onError(error);
        onUnrecorded(row);
        if (stopping.signal.aborted) return null;
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function runIn(span: Span, row: OperationRow): Promise<void> {
    try {
      const step = await (row.state === 'accepted' ? sender.send(row) : sender.settle(row));
      if (!step) return;
      if (step.isAnswered !== null) breaker.report(step.isAnswered);
      span.describe({ attributes: { 'deskside.outcome': (await record(step)) ?? 'not_recorded' } });
    } catch (error) {
      span.describe({ failure: 'exception' });
      onError(error);
      throw error;
    }
  }

  return {
    /** Rejects with an unexpected error, which is reported already. */
    run: (row: OperationRow): Promise<void> =>
      tracer.span(
        {
          name: row.state === 'unknown' ? 'delivery settle' : 'delivery send',
          kind: 'internal',
          // The attempts before this one.
          attributes: { 'deskside.operation.kind': row.kind, 'deskside.operation.attempts': row.attempts },
          origin: row.id,
        },
        (span) => runIn(span, row),
      ),

    start(): void {
      stopping = new AbortController();
    },

    /** Outcomes that the store does not accept are not tried again. */
    stop: (): void => stopping.abort(),
  };
}
