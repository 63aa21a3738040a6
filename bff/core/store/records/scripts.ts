import type { Store } from '../open.ts';
import { inTransaction } from '../statements/transaction.ts';

/** The bytes of a script by content coding; `identity` is always there. */
export type ScriptBodies = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

const dayMs = 86_400_000;
/** Pages of older builds may be open, or in a cache, for this long. */
const keptMs = 30 * dayMs;

interface ScriptOptions {
  store: Store;
  /** The scripts of this build, by name. */
  own: ReadonlyMap<string, { bodies: ScriptBodies }>;
  now: () => number;
}

/** The content-addressed scripts of all builds that have run on this store. */
export function createScripts({ store, own, now }: ScriptOptions) {
  const names = [...own.keys()];

  return {
    /**
     * Records the scripts of this build, marks them as in use, and removes scripts that no instance has had for 30
     * days.
     */
    keep: () =>
      inTransaction(store, async (trx) => {
        const at = now();
        if (names.length > 0) {
          await trx
            .insertInto('scripts')
            .values(names.map((name) => ({ name, seen_at: at })))
            .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at: at }))
            .execute();
          const rows = await trx
            .selectFrom('script_bodies')
            .select('name')
            .distinct()
            .where('name', 'in', names)
            .execute();
          const known = new Set(rows.map(({ name }) => name));
          for (const [name, { bodies }] of own)
            if (!known.has(name))
              await trx
                .insertInto('script_bodies')
                .values([...bodies].map(([coding, body]) => ({ name, coding, body })))
                .execute();
        }
        await trx
          .deleteFrom('scripts')
          .where('seen_at', '<=', at - keptMs)
          .execute();
      }),

    /** A script of another build. Null when it is unknown or was removed. */
    async find(name: string): Promise<ScriptBodies | null> {
      const rows = await store
        .selectFrom('script_bodies')
        .select(['coding', 'body'])
        .where('name', '=', name)
        .execute();
      return rows.length > 0 ? new Map(rows.map(({ coding, body }) => [coding, new Uint8Array(body)])) : null;
    },
  };
}

export type Scripts = ReturnType<typeof createScripts>;
