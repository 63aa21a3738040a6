import { setTimeout as sleep } from 'node:timers/promises';
import { watchForJumps } from '../clock.ts';
import { failpoint } from '../failpoint.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Operations } from '../tickets/operations.ts';
import { createBreaker } from '../v1/breaker.ts';
import type { Ledger } from './ledger.ts';
import type { Queue } from './queue.ts';
import type { Sender, Step } from './send.ts';
import { createWaiting } from './waiting.ts';

export interface WorkerDeps {
  ledger: Ledger;
  queue: Queue;
  sender: Sender;
  operations: Pick<Operations, 'byId'>;
  /** Forgets what is kept for a while only. */
  housekeep: () => Promise<void>;
  now: () => number;
  elapsed: () => number;
  /** Hears by how many milliseconds the wall clock was set ahead; negative: back. */
  onJump: (aheadMs: number) => void;
  onError: (error: unknown) => void;
}

const atOnce = 16;
/** What another process on this store leaves behind is found by then. */
const longestSleepMs = 15_000;
const housekeepEveryMs = 3_600_000;
const firstRestMs = 1_000;
const longestRestMs = 60_000;

const restAfter = (restMs: number) => Math.min(restMs * 2, longestRestMs);

/** Acts on due operations, at most 16 at once; while the service is down, on new ones and few others. */
export function createWorker(deps: WorkerDeps) {
  const { ledger, queue, sender, operations, housekeep, now, elapsed, onJump, onError } = deps;
  const inHand = new Map<string, Promise<void>>();
  /**
   * Operations that an error has stopped here, such as a full disk: left alone for a while, longer each time. By the
   * clock that nobody can set.
   */
  const resting = new Map<string, { untilMs: number; restMs: number }>();
  const breaker = createBreaker(elapsed);
  const waiting = createWaiting(operations);
  const listeners = new Set<(row: OperationRow) => void>();
  /** Ends the pauses of those that are in hand. */
  let stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let housekeeping: NodeJS.Timeout | undefined;
  let stopWatching = () => {};
  let isRunning = false;
  let isLooking = false;
  let lookAgain = false;
  /** What waits may wait for a time of a clock that was set since. */
  let isClockNew = false;

  function announce(row: OperationRow): void {
    waiting.hear(row);
    for (const listener of listeners) listener(row);
    kick();
  }

  /** What the service has answered is not lost because the store fails: it is written down as soon as that works. */
  async function record({ row, record: write }: Step): Promise<void> {
    for (let restMs = firstRestMs; ; restMs = restAfter(restMs)) {
      try {
        const next = await write();
        failpoint(row.state === 'unknown' ? 'settled' : 'recorded');
        if (next) announce(next);
        return;
      } catch (error) {
        onError(error);
        waiting.hear(row);
        if (stopping.signal.aborted) return;
        await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function act(row: OperationRow): Promise<void> {
    try {
      const step = row.state === 'accepted' ? await sender.send(row) : await sender.settle(row);
      resting.delete(row.id);
      if (!step) return;
      if (step.isAnswered !== null) breaker.report(step.isAnswered);
      await record(step);
    } catch (error) {
      onError(error);
      const restMs = restAfter(resting.get(row.id)?.restMs ?? firstRestMs / 2);
      resting.set(row.id, { untilMs: elapsed() + restMs, restMs });
    }
  }

  function take(row: OperationRow): void {
    const work = act(row).finally(() => {
      inHand.delete(row.id);
      kick();
    });
    inHand.set(row.id, work);
  }

  async function bringForward(): Promise<void> {
    isClockNew = false;
    await ledger.bringForward().catch((error: unknown) => {
      isClockNew = true;
      throw error;
    });
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    if (isClockNew) await bringForward();
    // One reading for all that follows: nothing may become due between two of them, and be seen by neither.
    const [at, since] = [now(), elapsed()];
    for (const row of await queue.stranded(at)) {
      // Still in hand here, with what the service said of it: only the store did not take that yet.
      if (inHand.has(row.id)) continue;
      const next = await ledger.move(row, { type: 'abandoned' });
      if (next) announce(next);
    }
    // Another process has finished these meanwhile: here they would have been tried again by now.
    for (const [id, { untilMs }] of resting) if (untilMs < since - longestRestMs) resting.delete(id);
    const isFree = ({ id }: OperationRow) => !inHand.has(id) && (resting.get(id)?.untilMs ?? since) <= since;
    const due = (await queue.due(at, atOnce + inHand.size + resting.size)).filter(isFree);
    if (!isRunning) return;
    // Somebody waits for a new one, and it may be the one that finds the service back.
    const free = due.slice(0, atOnce - inHand.size).filter((row) => row.attempts === 0 || breaker.allows());
    for (const row of free) take(row);
    const rested = [...resting.values()].map(({ untilMs }) => untilMs);
    const probes = due.length > 0 && breaker.isOpen ? [breaker.nextTryAt] : [];
    const pauses = [...rested, ...probes].filter((time) => time > since).map((time) => time - elapsed());
    const nextMs = Math.min((await queue.nextAt(at)) - now(), ...pauses);
    if (isRunning) timer = setTimeout(kick, Math.min(Math.max(nextMs, 0), longestSleepMs));
  }

  /** Looks for due operations soon; calls that come while it looks make it look once more. */
  function kick(): void {
    if (!isRunning) return;
    if (isLooking) {
      lookAgain = true;
      return;
    }
    isLooking = true;
    look()
      .catch((error: unknown) => {
        onError(error);
        if (isRunning) timer = setTimeout(kick, firstRestMs);
      })
      .finally(() => {
        isLooking = false;
        if (lookAgain) {
          lookAgain = false;
          kick();
        }
      });
  }

  return {
    kick,
    /** Tells of a change that was made elsewhere, and acts on what became due by it. */
    announce,
    /** The operation once it is final, or as it stands after `maxMs`; at once when nothing more is done here. */
    waitFor: (row: OperationRow, maxMs: number) => waiting.for(row, isRunning ? maxMs : 0),

    /** Called with each operation as it then stands; returns the way to stop it. */
    onChange(listener: (row: OperationRow) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async start(): Promise<void> {
      stopping = new AbortController();
      isRunning = true;
      isClockNew = true;
      stopWatching = watchForJumps({ now, elapsed }, (aheadMs) => {
        isClockNew = true;
        onJump(aheadMs);
        kick();
      });
      kick();
      const keepHouse = () => void housekeep().catch(onError);
      keepHouse();
      housekeeping = setInterval(keepHouse, housekeepEveryMs);
    },

    /** Takes nothing more, lets go whoever waits for what is not in hand, and finishes what is. */
    async stop(): Promise<void> {
      isRunning = false;
      clearTimeout(timer);
      clearInterval(housekeeping);
      stopWatching();
      stopping.abort();
      waiting.letGo((id) => !inHand.has(id));
      await Promise.all(inHand.values());
      waiting.letGo(() => true);
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;
