import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../config.ts';
import { inspectStore } from '../../store/inspect.ts';
import { openStore } from '../../store/open.ts';
import { storeFileName } from '../../store/sqlite.ts';
import { keepFilesPrivate } from '../../store/private-files.ts';
import { refuseNewer } from '../../store/schema-version.ts';
import type { Cli } from '../command.ts';
import { giveToOwner } from '../ownership.ts';
import { type ExitCode, exitCodes } from '../output.ts';

/**
 * Brings the store to the schema of this version, as the server does when it starts.
 * @throws when the store is of a newer version, or a migration fails; nothing is changed then
 */
export async function run({ env, out }: Cli): Promise<ExitCode> {
  const { dataDir } = parseConfig(env);
  const file = join(dataDir, storeFileName);
  const version = existsSync(file) ? inspectStore(file) : null;
  if (version) refuseNewer(version);
  keepFilesPrivate(dataDir);
  const store = await openStore({ dataDir });
  await store.destroy();
  giveToOwner(dataDir, [file]);
  if (!version) out.line(`${file} is made`);
  else if (version.pending.length === 0) out.line(`${file} is of this version already`);
  else for (const name of version.pending) out.line(`done: ${name}`);
  return exitCodes.ok;
}
