import { createHash } from 'node:crypto';
import type { Extra } from '../../core/extra.ts';
import { type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import type { Core } from '../../core/wiring.ts';
import { storeOf } from './storage.ts';
import { createRows } from './rows.ts';
import { fileSettings } from './settings.ts';
import type { FileStore } from './store.ts';

interface FilesOptions {
  verify?: boolean;
  json?: boolean;
}

const atOnce = 200;

async function stateOf(files: FileStore, { id, sha256 }: { id: string; sha256: string }) {
  const stream = await files.open(id);
  if (!stream) return 'missing';
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest('hex') === sha256 ? 'whole' : 'changed';
}

/** Counts the files, and reads them all with `--verify`. */
async function run(
  { out }: Cli,
  core: Core,
  { verify = false, json = false }: FilesOptions,
): Promise<ExitCode> {
  const { store, seal, now, config } = core;
  const files = storeOf(valuesOf(fileSettings, config.values), config.dataDir);
  const rows = createRows({ store, seal, now, linkHashOf: () => '' });
  const totals = await rows.totals();
  const found = { missing: [] as string[], changed: [] as string[], unknown: [] as string[] };
  if (verify) {
    let page = await rows.kept('', atOnce);
    while (page.length > 0) {
      for (const row of page) {
        const state = await stateOf(files, row);
        // It may have been removed meanwhile.
        if (state !== 'whole' && (await rows.has(row.id))) found[state].push(row.id);
      }
      page = await rows.kept(page.at(-1)!.id, atOnce);
    }
    for await (const id of files.list?.() ?? []) if (!(await rows.has(id))) found.unknown.push(id);
  }
  const isWhole = Object.values(found).every((ids) => ids.length === 0);
  if (json) out.json({ ...totals, location: files.location, ...(verify && found) });
  else {
    out.line(`${totals.count} files, ${Math.ceil(totals.bytes / 1e6)} MB, in ${files.location}`);
    out.line(`${totals.unsent} of them are in no message, and are removed after a day`);
    for (const [state, ids] of Object.entries(found)) for (const id of ids) out.line(`  ${state}  ${id}`);
    if (found.missing.length > 0 && !files.list)
      out.line('a bucket says missing also of what this key may not read: deskside check tells');
    if (verify && isWhole) out.line('all are there, and as they were stored');
  }
  return isWhole ? exitCodes.ok : exitCodes.failure;
}

export const addFilesCommand: NonNullable<Extra['addCommand']> = (program, cli, onExit, withCore) => {
  program
    .command('files')
    .description('what customers have attached: how many files, how much space')
    .option('--verify', 'read all, and name those that are missing, changed or known to no row')
    .option('--json', 'print it as JSON')
    .action(async (options: FilesOptions) => onExit(await withCore((core) => run(cli, core, options))));
};
