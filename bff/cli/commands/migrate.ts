import { Option } from 'commander';
import { type AddCommand, type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../config.ts';
import { copyStore } from '../../core/store/copy.ts';
import { inspectPlace } from '../../core/store/inspect.ts';
import { checkSeal, openStore } from '../../core/store/open.ts';
import { keepFilesPrivate } from '../../core/store/sqlite/files.ts';
import { refuseOther } from '../../core/store/migrations.ts';
import { createSeal } from '../../core/store/seal.ts';
import { storeFileName } from '../../core/store/sqlite/open-file.ts';
import { becomeOwner, withoutServer } from '../open-store.ts';
import { schema } from '../../extras/index.ts';

interface MigrateOptions {
  /** Which store to copy from. */
  from?: 'sqlite';
}

/**
 * Brings the store to the schema of this version, as the server does when it starts.
 * @throws when the store is of another version, or a migration fails; nothing is changed then
 */
async function run(cli: Cli, { from }: MigrateOptions): Promise<ExitCode> {
  if (from) return moveToServer(cli);
  const { dataDir, place } = parseConfig(cli.env);
  const isFile = 'dataDir' in place;
  if (isFile) becomeOwner(dataDir);
  const version = await inspectPlace(place, schema);
  if (version) refuseOther(version);
  if (isFile) keepFilesPrivate(dataDir);
  const store = await openStore(place, schema);
  await store.destroy();
  const file = join(dataDir, storeFileName);
  const name = isFile ? file : 'the store of DATABASE_URL';
  if (!version) cli.out.line(`${name} is made`);
  else if (version.pending.length === 0) cli.out.line(`${name} is of this version already`);
  else for (const step of version.pending) cli.out.line(`done: ${step}`);
  return exitCodes.ok;
}

/**
 * Copies the complete SQLite store of `DATA_DIR` to the empty store of `DATABASE_URL`, or nothing. The file is kept.
 * @throws when a server uses the file, it is missing, `SECRET_KEY` is not its own, or there is a store on the server already
 */
async function moveToServer({ env, out }: Cli): Promise<ExitCode> {
  const { dataDir, place, secretKey } = parseConfig(env);
  if ('dataDir' in place) throw new Error('set DATABASE_URL to the server that the store is to be moved to');
  const file = join(dataDir, storeFileName);
  if (!existsSync(file)) throw new Error(`there is no store at ${file}: check DATA_DIR`);
  becomeOwner(dataDir);
  await withoutServer(dataDir, async () => {
    const source = await openStore({ dataDir }, schema);
    const target = await openStore(place, schema);
    try {
      await checkSeal(source, createSeal(secretKey!));
      const copied = await copyStore(source, target, schema);
      for (const [table, rows] of copied) out.line(`${table.padEnd(14)} ${rows}`);
    } finally {
      await Promise.all([source.destroy(), target.destroy()]);
    }
  });
  out.line(`${file} stays as it is: remove it once the server runs with DATABASE_URL.`);
  return exitCodes.ok;
}

export const migrateCommand: AddCommand = (program, cli, onExit) => {
  program
    .command('migrate')
    .description('bring the store to the schema of this version, as the server does when it starts')
    .addOption(new Option('--from <store>', 'copy that store to the one of DATABASE_URL').choices(['sqlite']))
    .action(async (options: MigrateOptions) => onExit(await run(cli, options)));
};
