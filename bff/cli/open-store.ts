import { join } from 'node:path';
import { type Config, parseConfig } from '../config.ts';
import type { Clock } from '../clock.ts';
import { clockOf } from '../instances/server-clock.ts';
import { inspectPlace } from '../store/inspect.ts';
import { checkSeal, openStore, type Store } from '../store/open.ts';
import { storeFileName } from '../store/sqlite/open-file.ts';
import { refuseOther } from '../store/schema-version.ts';
import { createSeal, type Seal } from '../store/seal.ts';
import { readSecretKey } from '../store/secret.ts';
import type { Cli } from './command.ts';

/** The name of the store in messages to people. */
export const nameOf = (place: Config['place']): string =>
  'dataDir' in place
    ? `${join(place.dataDir, storeFileName)}: check DATA_DIR`
    : 'DATABASE_URL: start the server once';

interface Opened {
  config: Config;
  store: Store;
  seal: Seal;
  clock: Clock;
}

/**
 * Opens the store that the server uses, unchanged, and closes it after `use`.
 * @throws when there is no store, when it is of another version, or when the secret key is not its own
 */
export async function withStore<T>({ env }: Cli, use: (opened: Opened) => Promise<T>): Promise<T> {
  const config = parseConfig(env);
  const version = await inspectPlace(config.place);
  if (!version) throw new Error(`there is no store at ${nameOf(config.place)}`);
  refuseOther(version);
  if (version.pending.length > 0)
    throw new Error(`the store is of an older version: run deskside migrate, or start the server`);
  const key = readSecretKey(config.secretKey, config.dataDir);
  if (key === null) throw new Error('the secret key of the store is missing: set SECRET_KEY');
  // SECURITY: files that SQLite creates beside the store are for this user only.
  process.umask(0o077);
  const store = await openStore(config.place);
  try {
    // The clock does not need to report that the server is away: the command fails then.
    const clock = await clockOf(config.place, store, () => {});
    const seal = createSeal(key);
    await checkSeal(store, seal);
    return await use({ config, store, seal, clock: { now: clock.now, elapsed: clock.elapsed } });
  } finally {
    await store.destroy();
  }
}
