import type { OperationRow } from '../store/schema.ts';
import type { Operations } from '../tickets/operations.ts';
import type { Ledger } from './ledger.ts';
import type { Sender } from './send.ts';

export interface WorkerDeps {
  ledger: Ledger;
  sender: Sender;
  operations: Pick<Operations, 'byId'>;
  /** Forgets what is kept for a while only. */
  housekeep: () => Promise<void>;
  now: () => number;
  onError: (error: unknown) => void;
}

const atOnce = 16;
const longestSleepMs = 60_000;
const housekeepEveryMs = 3_600_000;
/** Longer than any call to the service may take, both keys included. */
const strandedAfterMs = 300_000;
const firstRestMs = 1_000;

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/** Acts on due operations, at most 16 at once, each by one hand at a time. */
export function createWorker({ ledger, sender, operations, housekeep, now, onError }: WorkerDeps) {
  const inHand = new Map<string, Promise<void>>();
  /** Operations that an error has stopped here, such as a full disk: left alone for a while, longer each time. */
  const resting = new Map<string, { untilMs: number; restMs: number }>();
  const waiting = new Map<() => void, string>();
  const listeners = new Set<(row: OperationRow) => void>();
  let timer: NodeJS.Timeout | undefined;
  let housekeeping: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isLooking = false;
  let lookAgain = false;

  function announce(row: OperationRow): void {
    for (const listener of listeners) listener(row);
    kick();
  }

  async function act(row: OperationRow): Promise<void> {
    try {
      const next = row.state === 'accepted' ? await sender.send(row) : await sender.settle(row);
      if (next) {
        resting.delete(row.id);
        return announce(next);
      }
    } catch (error) {
      onError(error);
    }
    const restMs = Math.min((resting.get(row.id)?.restMs ?? firstRestMs / 2) * 2, longestSleepMs);
    resting.set(row.id, { untilMs: now() + restMs, restMs });
  }

  function take(row: OperationRow): void {
    const work = act(row).finally(() => {
      inHand.delete(row.id);
      kick();
    });
    inHand.set(row.id, work);
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    await ledger.abandon(now() - strandedAfterMs, [...inHand.keys()]);
    const isFree = ({ id }: OperationRow) => !inHand.has(id) && (resting.get(id)?.untilMs ?? 0) <= now();
    const due = await ledger.due(atOnce + inHand.size + resting.size);
    for (const row of due.filter(isFree).slice(0, atOnce - inHand.size)) take(row);
    const rested = [...resting.values()].map(({ untilMs }) => untilMs).filter((untilMs) => untilMs > now());
    const nextAt = Math.min((await ledger.nextDueAt()) ?? Infinity, ...rested);
    if (isRunning) timer = setTimeout(kick, Math.min(Math.max(nextAt - now(), 0), longestSleepMs));
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

  /** Called with each operation as it then stands; returns the way to stop it. */
  function onChange(listener: (row: OperationRow) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    kick,
    onChange,
    /** Tells of a change that was made elsewhere, and acts on what became due by it. */
    announce,

    async start(): Promise<void> {
      await ledger.abandon(now(), []);
      isRunning = true;
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
      for (const [letGo, id] of waiting) if (!inHand.has(id)) letGo();
      await Promise.all(inHand.values());
      for (const letGo of waiting.keys()) letGo();
    },

    /** The operation once it is final, or as it stands after `maxMs`. */
    async waitFor(id: string, maxMs: number): Promise<OperationRow> {
      let letGo = () => {};
      const settled = new Promise<void>((resolve) => (letGo = resolve));
      waiting.set(letGo, id);
      const stopListening = onChange((row) => {
        if (row.id === id && isFinal(row)) letGo();
      });
      const deadline = setTimeout(letGo, isRunning ? maxMs : 0);
      try {
        const row = await operations.byId(id);
        if (row && !isFinal(row)) await settled;
        return (await operations.byId(id))!;
      } finally {
        stopListening();
        clearTimeout(deadline);
        waiting.delete(letGo);
      }
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;
