import { type Driver, Kysely, Migrator } from 'kysely';
import { afterAll } from 'vitest';
import type { Schema } from '../../core/store/migrations.ts';
import type { Store } from '../../core/store/open.ts';
import { createSeal } from '../../core/store/seal.ts';
import type { Tables } from '../../core/store/schema.ts';
import { sqliteDialect } from '../../core/store/sqlite/open-file.ts';
import type { SimulatedTime } from './time.ts';

/** What stands between one process and the store that all share. */
export interface StoreGate {
  time: SimulatedTime;
  /** Awaited before each statement alone and each transaction. */
  enter: () => Promise<void>;
  /** Called before and after each statement. @throws what the statement fails with */
  meet: (moment: 'before' | 'after') => void;
}

/** A store in memory, on one connection. `through` gives it to a process. */
async function openSharedStore(schema: Schema) {
  const dialect = sqliteDialect('memory', schema);
  const driver = dialect.createDriver();
  const storeOn = (own: Driver): Store =>
    new Kysely<Tables>({ dialect: { ...dialect, createDriver: () => own } });
  const store = storeOn(driver);
  const provider = { getMigrations: async () => schema.migrations };
  const { error } = await new Migrator({
    db: store,
    provider,
    allowUnorderedMigrations: true,
  }).migrateToLatest();
  if (error) throw error as Error;

  return {
    store,

    through({ time, enter, meet }: StoreGate): Store {
      type Connection = Awaited<ReturnType<Driver['acquireConnection']>>;
      const held = new WeakMap<Connection, { real: Connection; release: () => void }>();
      return storeOn({
        init: async () => {},
        destroy: async () => {},
        async acquireConnection() {
          await enter();
          const use = { real: await driver.acquireConnection(), release: () => {} };
          void time.during(new Promise<void>((release) => Object.assign(use, { release })));
          const gated: Connection = {
            async executeQuery(query) {
              meet('before');
              const result = await use.real.executeQuery(query);
              meet('after');
              return result as never;
            },
            streamQuery: (...given) => use.real.streamQuery(...given),
          };
          held.set(gated, use);
          return gated;
        },
        async releaseConnection(gated) {
          const { real, release } = held.get(gated)!;
          await driver.releaseConnection(real);
          release();
        },
        beginTransaction: (gated, settings) => driver.beginTransaction(held.get(gated)!.real, settings),
        commitTransaction: (gated) => driver.commitTransaction(held.get(gated)!.real),
        rollbackTransaction: (gated) => driver.rollbackTransaction(held.get(gated)!.real),
      });
    },
  };
}

export type SharedStore = Awaited<ReturnType<typeof openSharedStore>>;

/** What all schedules of a file of tests share. Its store is closed after the last test. */
export async function openForTests(schema: Schema) {
  const store = await openSharedStore(schema);
  afterAll(() => store.store.destroy());
  return { store, seal: createSeal('a secret of more than thirty-two characters') };
}
