import { dirname, join } from 'node:path';
import type { Config } from '../core/config.ts';
import { parseConfig } from '../config.ts';
import type { Clock } from '../core/clock.ts';
import { clockOf } from '../core/store/postgres/server-clock.ts';
import { inspectPlace } from '../core/store/inspect.ts';
import { checkSeal, openStore, type Store } from '../core/store/open.ts';
import { storeFileName } from '../core/store/sqlite/open-file.ts';
import { enterStore } from '../core/store/sqlite/files.ts';
import { refuseOther } from '../core/store/migrations.ts';
import { createSeal, type Seal } from '../core/store/seal.ts';
import { readSecretKey } from '../core/store/secret.ts';
import { createLog } from '../core/log/log.ts';
import { createMetrics } from '../core/metrics/metrics.ts';
import type { Part } from '../core/part.ts';
import { noTracer } from '../core/tracer.ts';
import { createV1Client } from '../core/v1/client.ts';
import { createKeyRing } from '../core/v1/keys.ts';
import { type Core, createCore } from '../core/wiring.ts';
import { addExtras, schema } from '../extras/index.ts';
import type { Cli } from '../core/operator/command.ts';
import { statSync } from 'node:fs';

/** Where a store is missing, and what to do about it. */
const missingAt = (place: Config['place']): string =>
  'dataDir' in place
    ? `${join(place.dataDir, storeFileName)}: check DATA_DIR`
    : 'DATABASE_URL: start the server once';

/** The seal of the existing store. @throws when its secret key is missing */
export function sealOf({ secretKey, dataDir }: Config): Seal {
  const key = readSecretKey(secretKey, dataDir);
  if (key === null) throw new Error('the secret key of the store is missing: set SECRET_KEY');
  return createSeal(key);
}

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
  if ('dataDir' in config.place) becomeOwner(config.dataDir);
  const version = await inspectPlace(config.place, schema);
  if (!version) throw new Error(`there is no store at ${missingAt(config.place)}`);
  refuseOther(version);
  if (version.pending.length > 0)
    throw new Error(`the store is of an older version: run deskside migrate, or start the server`);
  const seal = sealOf(config);
  // SECURITY: files that SQLite creates beside the store are for this user only.
  process.umask(0o077);
  const store = await openStore(config.place, schema);
  try {
    // The clock does not need to report that the server is away: the command fails then.
    const clock = await clockOf(config.place, store, () => {});
    await checkSeal(store, seal);
    return await use({ config, store, seal, clock: { now: clock.now, elapsed: clock.elapsed } });
  } finally {
    await store.destroy();
  }
}

/**
 * Opens the store with all modules of the server, also while the server runs. Nothing is started, so nothing is sent by
 * itself.
 */
export const withCore = <T>(cli: Cli, use: (core: Core) => Promise<T>): Promise<T> =>
  withStore(cli, async ({ config, store, seal, clock }) => {
    const v1 = createV1Client({ ...config.upstream, ...clock, keys: createKeyRing(config.upstream) });
    const parts: Part[] = [];
    const core = createCore(
      {
        config,
        store,
        instances: null,
        seal,
        v1,
        metrics: createMetrics(),
        tracer: { ...noTracer },
        log: createLog('silent'),
        ownScripts: new Map(),
        limitsFile: null,
        ...clock,
      },
      parts,
    );
    await addExtras(core, parts, false);
    try {
      return await use(core);
    } finally {
      core.live.stop();
      core.limits.close();
      await v1.abort();
    }
  });

/**
 * Runs `work` on the files of a store, and keeps a server from starting on them meanwhile.
 * @throws when a server uses them already
 */
export async function withoutServer<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const presence = enterStore(dataDir);
  try {
    if (!presence.wasAlone) throw new Error('a server runs on this store: stop it first');
    return await work();
  } finally {
    presence.leave();
  }
}

/**
 * Lets a command that root runs go on as the owner of the store's folder, as whom the server runs. To be called before
 * anything in the folder is opened.
 */
export function becomeOwner(dataDir: string): void {
  const owner = otherOwner(dataDir);
  if (!owner) return;
  // SECURITY: that user may have put links there, which root would follow anywhere.
  process.setgroups!([owner.gid]);
  process.setgid!(owner.gid);
  process.setuid!(owner.uid);
}

/**
 * Whose the folder is, if this process is root and the folder is not root's. That of a site may not exist yet: then it
 * belongs to the owner of the folder that it will be in.
 */
export function otherOwner(dataDir: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (!folder) return otherOwner(dirname(dataDir));
  return folder.uid === 0 ? undefined : folder;
}
