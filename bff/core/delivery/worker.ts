import { setTimeout as sleep } from 'node:timers/promises';
import type { Histogram } from 'prom-client';
import { backoffMs } from '../backoff.ts';
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

/** The pauses after unexpected errors in a row, such as a full disk. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
const pauseAfter = (errors: number) => backoffMs(errors - 1, firstPauseMs, longestPauseMs);

/**
 * Sends and settles due operations, many at once. While the service is down, it tries new operations and few others.
 */
export function createWorker(deps: WorkerDeps) {
  const { ledger, queue, sender, operations, durations, tracer = noTracer, now, elapsed } = deps;
  const { onJump, onError } = deps;
  /** The operations that this process sends or settles at the moment, by their ids. `isFound`: by a poll. */
  const inProgress = new Map<string, { isFound: boolean; work: Promise<void> }>();
  /** Operations that failed with unexpected errors here, and the ends of their pauses by the monotonic clock. */
  const failed = new Map<string, { errors: number; untilMs: number }>();
  const breaker = createBreaker(elapsed);
  const waiting = createWaiting({ operations, queue });
  const polling = createPolling(poll, onError);
  const listeners: ((row: OperationRow) => void)[] = [];
  let stopWatching = () => {};
  let isRunning = false;
  /** Ends the pauses between the attempts to record an outcome. */
  let stopping = new AbortController();
  /** The wall clock was set, so due times in the store may be far in the future. */
  let isClockNew = false;

  function publish(row: OperationRow): void {
    const { kind, state, created_at: createdAt, finished_at: finishedAt } = row;
    // The clock may have been set back in between.
    if (finishedAt !== null) durations.observe({ kind, state }, Math.max(0, finishedAt - createdAt) / 1_000);
    waiting.onChange(row);
    for (const listener of listeners) listener(row);
  }

  const countInProgress = (isFound: boolean) =>
    [...inProgress.values()].filter((each) => each.isFound === isFound).length;

  /**
   * Records an outcome, and retries while the store fails: the answer of the service must not be lost. After a failure
   * the row is read: the store may have recorded the outcome though its answer was lost.
   * @returns the new state; null when another process has changed the operation, or this one stops first
   */
  async function record({ row, record: write }: Step): Promise<OperationRow['state'] | null> {
    for (let errors = 0; ;) {
      try {
        const next = (await write()) ?? (errors > 0 ? await operations.byId(row.id) : null);
        failpoint(row.state === 'unknown' ? 'settled' : 'recorded');
        if (next) publish(next);
        return next?.state ?? null;
      } catch (error) {
        errors += 1;
        onError(error);
        waiting.onChange(row);
        if (stopping.signal.aborted) return null;
        await sleep(pauseAfter(errors), undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  /** Makes the next step of an operation, sending or settling it, and records the outcome. */
  async function take(row: OperationRow, span: Span): Promise<void> {
    try {
      const step = await (row.state === 'accepted' ? sender.send(row) : sender.settle(row));
      if (step && step.isAnswered !== null) breaker.report(step.isAnswered);
      if (step) span.describe({ attributes: { 'deskside.outcome': (await record(step)) ?? 'not_recorded' } });
      failed.delete(row.id);
    } catch (error) {
      span.describe({ failure: 'exception' });
      onError(error);
      const errors = (failed.get(row.id)?.errors ?? 0) + 1;
      failed.set(row.id, { errors, untilMs: elapsed() + pauseAfter(errors) });
    } finally {
      inProgress.delete(row.id);
      // What waited for this place, or for this operation, is found by a poll.
      polling.soon();
    }
  }

  function run(row: OperationRow, isFound: boolean): Promise<void> {
    const work = tracer.span(
      {
        name: row.state === 'unknown' ? 'delivery settle' : 'delivery send',
        kind: 'internal',
        // The attempts before this one.
        attributes: { 'deskside.operation.kind': row.kind, 'deskside.operation.attempts': row.attempts },
        origin: row.id,
      },
      (span) => take(row, span),
    );
    inProgress.set(row.id, { isFound, work });
    return work;
  }

  /** Sends an operation that a request has just recorded, if it may be its turn. Undefined: a poll finds it. */
  function runNew(row: OperationRow): Promise<void> | undefined {
    const isFirst = isUntriedAndDue(row, now()) && !inProgress.has(row.id) && !failed.has(row.id);
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
    // Another process must have finished those whose next try here is overdue.
    for (const [id, { untilMs }] of failed) if (untilMs < since - longestPauseMs) failed.delete(id);
    // Operations in progress may still be due, so they count among the results.
    const upcoming = await queue.poll(at, placesForRequests + placesForPolls + failed.size);
    if (upcoming.hasAbandoned) await settleAbandoned(at);
    if (!isRunning) return Infinity;
    const due = upcoming.due.filter(
      ({ id }) => !inProgress.has(id) && (failed.get(id)?.untilMs ?? 0) <= since,
    );
    // A customer waits for a new operation, so it is sent even while the breaker is open.
    const free = due
      .slice(0, Math.max(0, placesForPolls - countInProgress(true)))
      .filter((row) => isUntriedAndDue(row, at) || breaker.allows());
    for (const row of free) void run(row, true);
    const probes = due.length > 0 && breaker.isOpen ? [breaker.nextTryAt] : [];
    const pauses = [...Array.from(failed.values(), ({ untilMs }) => untilMs), ...probes]
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

    /** Calls `listener` with each changed operation. */
    onChange: (listener: (row: OperationRow) => void): void => void listeners.push(listener),

    isBreakerOpen: (): boolean => breaker.isOpen,

    async start(): Promise<void> {
      stopping = new AbortController();
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
      // Outcomes that the store does not accept are not tried again.
      stopping.abort();
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
function createPolling(poll: () => Promise<number>, onError: (error: unknown) => void) {
  let isStopped = true;
  let isAsked = false;
  /** The shortest pause after a poll is over, so the next poll may begin. */
  let isFree = false;
  let endPause = () => {};
  let ended = Promise.resolve();

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    for (;;) {
      [isAsked, isFree] = [false, false];
      let leastMs = minPollGapMs;
      const nextMs = await poll().catch((error: unknown) => {
        onError(error);
        // The store is down.
        leastMs = firstPauseMs;
        return 0;
      });
      if (!isStopped) await pause(leastMs);
      isFree = true;
      if (!isStopped && !isAsked) await pause(Math.min(nextMs, maxPollGapMs) - leastMs);
      if (isStopped) return;
    }
  }

  return {
    soon(): void {
      isAsked = true;
      if (isFree) endPause();
    },
    start(): void {
      isStopped = false;
      ended = run();
    },
    /** Resolves when a poll that is under way has ended. */
    stop(): Promise<void> {
      isStopped = true;
      endPause();
      return ended;
    },
  };
}
