import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, linkSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseConfig } from '../../config.ts';
import { inspectStore } from '../../core/store/inspect.ts';
import { storeFileName } from '../../core/store/sqlite/open-file.ts';
import { writeSnapshot, sign } from '../../core/store/sqlite/backup.ts';
import { secretKeyFile } from '../../core/store/secret.ts';
import { sync } from '../../core/store/sqlite/sync.ts';
import { schema } from '../../extras/index.ts';
import { sealOf } from '../open-store.ts';
import { backUpFolders } from '../store-folders.ts';

/**
 * Writes a consistent copy of the store that only its owner may read, also while the server runs. An existing file is
 * not replaced.
 * @throws when the store or the copy cannot be read
 */
async function run({ env, out }: Cli, target: string): Promise<ExitCode> {
  const config = parseConfig(env);
  const { dataDir } = config;
  if ('databaseUrl' in config.place) throw new Error('the store is on a server: copy it with pg_dump');
  const from = join(dataDir, storeFileName);
  const to = resolve(target);
  if (!existsSync(from)) throw new Error(`there is no store at ${from}: check DATA_DIR`);
  if (existsSync(to)) {
    out.note(`${to} exists: name another file`);
    return exitCodes.usage;
  }
  const seal = sealOf(config);
  // SECURITY: nobody else may read the file, from its first byte on.
  process.umask(0o077);
  const draft = `${to}.${randomUUID()}`;
  try {
    await writeSnapshot(from, draft);
    chmodSync(draft, 0o600);
    inspectStore(draft, schema);
    await sign(draft, seal);
    // Fails when the file was made meanwhile.
    linkSync(draft, to);
    sync(dirname(to));
  } finally {
    rmSync(draft, { force: true });
  }
  // After the rows, so that each of them has its file.
  const folders = backUpFolders(dataDir, to);
  const place = config.secretKey ? 'SECRET_KEY of your settings' : secretKeyFile(dataDir);
  out.line(`${to}: ${Math.ceil(statSync(to).size / 1024)} KiB`);
  for (const line of folders) out.line(line);
  out.line(`Keep ${place} too, in another place: without it the copy cannot be read.`);
  return exitCodes.ok;
}

export const backupCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('backup')
    .description('copy the store to a file, also while the server runs')
    .argument('<file>', 'what to write')
    .action(async (file: string) => onExit(await run(cli, file)));
};
