import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseConfig } from '../../config.ts';
import { inspectStore } from '../../store/inspect.ts';
import { storeFileName } from '../../store/sqlite/open-file.ts';
import { writeSnapshot } from '../../store/sqlite/snapshot.ts';
import { secretKeyFile } from '../../store/secret.ts';
import { syncNames } from '../../store/sync-disk.ts';
import type { Cli } from '../command.ts';
import { type ExitCode, exitCodes } from '../terminal/output.ts';

/**
 * Writes a consistent copy of the store that only its owner may read, also while the server runs. An existing file is
 * not replaced.
 * @throws when the store or the copy cannot be read
 */
export async function run({ env, out }: Cli, target: string): Promise<ExitCode> {
  const { dataDir, secretKey, place } = parseConfig(env);
  if ('databaseUrl' in place) throw new Error('the store is on a server: copy it with pg_dump');
  const from = join(dataDir, storeFileName);
  const to = resolve(target);
  if (!existsSync(from)) throw new Error(`there is no store at ${from}: check DATA_DIR`);
  if (existsSync(to)) {
    out.note(`${to} exists: name another file`);
    return exitCodes.usage;
  }
  // SECURITY: nobody else may read the file, from its first byte on.
  process.umask(0o077);
  const draft = `${to}.${randomUUID()}`;
  try {
    await writeSnapshot(from, draft);
    chmodSync(draft, 0o600);
    inspectStore(draft);
    // Fails when the file was made meanwhile.
    linkSync(draft, to);
    syncNames(dirname(to));
  } finally {
    rmSync(draft, { force: true });
  }
  const key = secretKey ? 'SECRET_KEY of your settings' : secretKeyFile(dataDir);
  out.line(`${to}: ${Math.ceil(statSync(to).size / 1024)} KiB`);
  out.line(`Keep ${key} too, in another place: without it the copy cannot be read.`);
  return exitCodes.ok;
}
