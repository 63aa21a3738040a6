import type { Store } from '../open.ts';

const everyMs = 15_000;
/** Longer than a restart takes. */
const recentMs = 60_000;

/**
 * Records in the store that servers use it, and notices that the store may have been set back: to a backup, a snapshot of
 * the machine, or a copy that lacks the last writes. Such a store does not know what was sent after that moment.
 */
export function createLastUse(deps: {
  store: Store;
  now: () => number;
  elapsed: () => number;
  /**
   * Called when the store may have been set back, before the start or while this server runs. The use is recorded only
   * after it: if the process ends before, the next one calls it again.
   */
  onSetBack: () => Promise<void>;
  onError: (error: unknown) => void;
}) {
  const { store, now, elapsed, onSetBack, onError } = deps;
  let timer: NodeJS.Timeout | undefined;
  let checking = Promise.resolve();
  /** What this server wrote last. */
  let written = -Infinity;
  /** The last use before this start, and this start by the monotonic clock. */
  let begun = { at: now(), elapsed: elapsed() };

  /** A store that was restored has never been in use. */
  const read = async () =>
    (await store.selectFrom('last_use').select('at').executeTakeFirst())?.at ?? -Infinity;

  async function write(): Promise<void> {
    const at = now();
    await store
      .insertInto('last_use')
      .values({ id: 1, at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ at }))
      .execute();
    written = at;
  }

  async function check(): Promise<void> {
    // Half an interval: the clock of another server may differ a little.
    if ((await read()) < written - everyMs / 2) await onSetBack();
    await write();
  }

  return {
    /** The time if this start came right after the last use of the store. Milliseconds. */
    expectedNow: () => begun.at + elapsed() - begun.elapsed,

    /** To be called before anything is recorded or sent. */
    async start(): Promise<void> {
      const last = await read();
      if (last !== -Infinity) begun = { at: last, elapsed: elapsed() };
      if (Math.abs(now() - last) > recentMs) await onSetBack();
      await write();
      timer = setInterval(() => void (checking = check().catch(onError)), everyMs);
    },

    async stop(): Promise<void> {
      clearInterval(timer);
      await checking;
      await write().catch(onError);
    },
  };
}

/** Lets the next server take the store for one that was set back. */
export const forgetLastUse = async (store: Store): Promise<void> =>
  void (await store.deleteFrom('last_use').execute());

export type LastUse = ReturnType<typeof createLastUse>;
