import type { Operations } from '../tickets/operations.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Ledger } from './ledger.ts';
import type { Sender } from './send.ts';

export interface WorkerDeps {
  ledger: Ledger;
  sender: Sender;
  operations: Pick<Operations, 'byId'>;
  now: () => number;
  onError: (error: unknown) => void;
}

const atOnce = 16;
const longestSleepMs = 60_000;
const eraseEveryMs = 3_600_000;

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/** Acts on due operations, at most 16 at once, each by one hand at a time. */
export function createWorker({ ledger, sender, operations, now, onError }: WorkerDeps) {
  const inHand = new Map<string, Promise<void>>();
  const listeners = new Set<(row: OperationRow) => void>();
  let timer: NodeJS.Timeout | undefined;
  let eraser: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isLooking = false;
  let lookAgain = false;

  async function act(row: OperationRow): Promise<void> {
    try {
      const next = row.state === 'accepted' ? await sender.send(row) : await sender.settle(row);
      if (next) for (const listener of listeners) listener(next);
    } catch (error) {
      onError(error);
    }
  }

  function take(row: OperationRow): void {
    if (inHand.has(row.id)) return;
    const work = act(row).finally(() => {
      inHand.delete(row.id);
      kick();
    });
    inHand.set(row.id, work);
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    for (const row of await ledger.due(atOnce + inHand.size)) if (inHand.size < atOnce) take(row);
    const dueAt = await ledger.nextDueAt();
    const sleepMs = dueAt === null ? longestSleepMs : Math.min(dueAt - now(), longestSleepMs);
    if (isRunning) timer = setTimeout(kick, sleepMs);
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
      .catch(onError)
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

    async start(): Promise<void> {
      await ledger.abandonAll();
      isRunning = true;
      kick();
      const erase = () => void ledger.eraseDelivered().catch(onError);
      erase();
      eraser = setInterval(erase, eraseEveryMs);
    },

    /** Takes nothing more and waits for what is in hand; every call in it has its own deadline. */
    async stop(): Promise<void> {
      isRunning = false;
      clearTimeout(timer);
      clearInterval(eraser);
      await Promise.all(inHand.values());
    },

    onChange,

    /** The operation once it is final, or as it stands after `maxMs`. */
    async waitFor(id: string, maxMs: number): Promise<OperationRow> {
      let settle = () => {};
      const settled = new Promise<void>((resolve) => (settle = resolve));
      const stopListening = onChange((row) => {
        if (row.id === id && isFinal(row)) settle();
      });
      const deadline = setTimeout(settle, maxMs);
      try {
        const row = await operations.byId(id);
        if (row && !isFinal(row)) await settled;
        return (await operations.byId(id))!;
      } finally {
        stopListening();
        clearTimeout(deadline);
      }
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;
