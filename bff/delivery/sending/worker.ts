import type { Histogram } from 'prom-client';
import { watchForJumps } from '../../clock.ts';
import type { OperationRow } from '../../store/schema.ts';
import type { Operations } from '../../tickets/operations.ts';
import { noTracer, type Tracer } from '../../tracing/tracer.ts';
import { createBreaker } from '../../v1/breaker.ts';
import { createFailedWrites } from './failed-writes.ts';
import { createHourly } from './hourly.ts';
import { createInProgress } from './in-progress.ts';
import { isLeasedHere, type LeasedOperation } from '../ledger/attempts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { mostAccepted, mostAtOnce, mostFoundAtOnce, minPollGapMs, minPollGapWhenFullMs } from './places.ts';
import { createPolling } from './polling.ts';
import { createPostponed, firstPauseMs } from './postponed.ts';
import { isUntriedAndDue, type Queue } from '../ledger/queue.ts';
import type { Sender } from './send.ts';
import { createRecording } from './recording.ts';
import { createStepRunner } from './step-runner.ts';
import { createWaiting } from './waiting.ts';

export interface WorkerDeps {
  ledger: Ledger;
  queue: Queue;
  sender: Sender;
  operations: Pick<Operations, 'byId'>;
  /** Removes expired data, until `signal` is aborted. */
  housekeep: (signal: AbortSignal) => Promise<void>;
  durations: Pick<Histogram<'kind' | 'state'>, 'observe'>;
  tracer?: Tracer;
  now: () => number;
  elapsed: () => number;
  /** Called when the wall clock was set, by `aheadMs` milliseconds ahead or, if negative, back. */
  onJump: (aheadMs: number) => void;
  onError: (error: unknown) => void;
}

/**
 * Sends and settles due operations, many at once. While the service is down, it tries new operations and few others.
 */
export function createWorker(deps: WorkerDeps) {
  const { ledger, queue, sender, operations, housekeep, durations, now, elapsed, onJump, onError } = deps;
  const { tracer = noTracer } = deps;
  const inProgress = createInProgress();
  /** Operations accepted here while every place was taken, in order. They start as soon as places are free. */
  const accepted = new Map<string, OperationRow>();
  /** Tickets with a reply that waits for the operation in progress. When that ends, a poll finds the reply. */
  const awaited = new Set<string | null>();
  const postponed = createPostponed(elapsed);
  const breaker = createBreaker(elapsed);
  const waiting = createWaiting(operations);
  const housekeeping = createHourly(housekeep, onError);
  const listeners = new Set<(row: OperationRow) => void>();
  let stopWatching = () => {};
  let isRunning = false;
  /** The wall clock was set, so due times in the store may be far in the future. */
  let isClockNew = false;

  function measure({ kind, state, created_at: createdAt, finished_at: finishedAt }: OperationRow): void {
    // The clock may have been set back in between.
    if (finishedAt !== null) durations.observe({ kind, state }, Math.max(0, finishedAt - createdAt) / 1_000);
  }

  function publish(row: OperationRow): void {
    measure(row);
    waiting.onChange(row);
    for (const listener of listeners) listener(row);
  }

  const steps = createStepRunner({
    sender,
    operations,
    breaker,
    postponed,
    tracer,
    onRecorded: publish,
    onUnrecorded: waiting.onChange,
    async onHeldUp(row) {
      if (await queue.isBehindFailed(row)) waiting.release(({ id }) => id === row.id);
    },
    onError,
  });

  const failedWrites = createFailedWrites({ ledger, queue, elapsed, onChange: publish });

  const freePlaces = () => (isRunning ? Math.max(0, mostAtOnce - inProgress.size - recording.reserved) : 0);
  /** During a poll, one place is kept for what the poll finds. */
  const hasPlace = () => freePlaces() > (polling.isUnderway ? 1 : 0);

  /** To be called when a place has become free. */
  function fillPlaces(gapMs = minPollGapMs): void {
    polling.startAfterPause(accepted.size > 0 ? minPollGapWhenFullMs : gapMs);
    takeAccepted();
  }

  function run(row: OperationRow | LeasedOperation, isFound = false): void {
    accepted.delete(row.id);
    const work = steps.run(row).finally(() => {
      inProgress.delete(row.id);
      // Replies that wait for their turn are found by polls, one after the other.
      fillPlaces(awaited.delete(row.ticket_id) || isFound ? 0 : minPollGapMs);
    });
    inProgress.add(row, isFound, work);
  }

  const recording = createRecording({
    ledger,
    sender,
    hasPlace,
    isInProgress: inProgress.hasTicket,
    send: run,
    onUnanswered: failedWrites.add,
    onFree: fillPlaces,
  });

  /** Leaves a reply to the poll that follows the operation of its ticket in progress. */
  function wait(row: OperationRow): void {
    accepted.delete(row.id);
    awaited.add(row.ticket_id);
  }

  function takeAccepted(): void {
    for (const row of accepted.values()) {
      if (!hasPlace()) return;
      if (!recording.isBusy(row.ticket_id)) run(row);
      else wait(row);
    }
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
      if (inProgress.has(row.id) || recording.isPending(row.id)) continue;
      const next = await ledger.move(row, { type: 'abandoned' });
      if (next) publish(next);
      // It became due now, after `at`.
      polling.start();
    }
  }

  /** Starts what is due. Resolves with the time until more becomes due, in milliseconds. */
  async function poll(): Promise<number> {
    if (isClockNew) await bringForward();
    const lookAgainMs = await failedWrites.withdraw().catch((error: unknown) => {
      // What is due must not wait for them: one of their rows may be locked.
      onError(error);
      return firstPauseMs;
    });
    // One reading for both statements: an operation that becomes due between two readings would be missed by both.
    const [at, since] = [now(), elapsed()];
    postponed.forgetOld();
    // Operations in progress may still be due, so they count among the results.
    const upcoming = await queue.poll(at, mostAtOnce + postponed.size);
    if (upcoming.hasAbandoned) await settleAbandoned(at);
    const due = upcoming.due.filter(({ id }) => !inProgress.has(id) && !postponed.isPaused(id, since));
    // A customer waits for a new operation, so it is sent even while the breaker is open.
    const places = Math.min(freePlaces(), Math.max(0, mostFoundAtOnce - inProgress.found));
    const free = due.slice(0, places).filter((row) => row.attempts === 0 || breaker.allows());
    for (const row of free) run(row, true);
    const probes = due.length > 0 && breaker.isOpen ? [breaker.nextTryAt] : [];
    const pauses = [...postponed.ends(), ...probes]
      .filter((time) => time > since)
      .map((time) => time - elapsed());
    return Math.min(upcoming.nextAt - now(), lookAgainMs, ...pauses);
  }

  const polling = createPolling({
    poll,
    // When every place is taken, the next free place causes a poll.
    isUseful: () => freePlaces() > 0,
    isRunning: () => isRunning,
    onEnd: takeAccepted,
    elapsed,
    onError,
  });

  return {
    /** Polls now. Otherwise polls come by themselves, after the ends of sends and by a timer. */
    poll: polling.start,

    /** Records a send as the ledger's `accept` does. A leased row in the result is being sent already. */
    accept: recording.accept,

    /** Sends an operation that was just accepted, as soon as a place is free. No poll is needed to find it. */
    send(row: OperationRow): void {
      // `accept` has sent it.
      if (isLeasedHere(row)) return;
      const isFirst = isUntriedAndDue(row, now()) && !inProgress.has(row.id) && !postponed.has(row.id);
      if (!isRunning || !isFirst) return polling.start();
      if (recording.isBusy(row.ticket_id)) return wait(row);
      if (accepted.size < mostAccepted) accepted.set(row.id, row);
      takeAccepted();
    },

    /** Publishes a change that was made by other code, and polls for operations that became due by it. */
    announce(row: OperationRow): void {
      publish(row);
      polling.start();
    },
    /**
     * Resolves with the operation once its outcome or its failure is known, or with its state after `maxMs`; at once when
     * the worker has stopped.
     */
    waitFor(row: OperationRow, maxMs: number): Promise<OperationRow> {
      const mayHaveEnded = isLeasedHere(row) && !inProgress.has(row.id);
      return waiting.for(row, isRunning ? maxMs : 0, mayHaveEnded);
    },

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
        polling.start();
      });
      polling.start();
      housekeeping.start();
    },

    /** Takes no more operations, ends the waits for those not in progress, and finishes those in progress. */
    async stop(): Promise<void> {
      isRunning = false;
      accepted.clear();
      const polled = polling.stop();
      stopWatching();
      steps.stop();
      waiting.release(({ id }) => !inProgress.has(id));
      await recording.settle();
      await failedWrites.withdraw().catch(onError);
      await Promise.all([polled, inProgress.settle(), housekeeping.stop()]);
      waiting.release(() => true);
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;
