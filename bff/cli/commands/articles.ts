import { statSync } from 'node:fs';
import { describeFault } from '../../articles/faults.ts';
import { readFolder } from '../../articles/read-folder.ts';
import { createVotes } from '../../articles/votes.ts';
import type { Cli } from '../command.ts';
import { withStore } from '../open-store.ts';
import { type ExitCode, exitCodes } from '../output.ts';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Names what is wrong with each article of a folder, by default that of the settings. Ends with 1 where anything is. */
export async function check({ env, out }: Cli, dir = env['ARTICLES_DIR']): Promise<ExitCode> {
  if (!dir) {
    out.note('name the folder, or set ARTICLES_DIR');
    return exitCodes.usage;
  }
  if (!isFolder(dir)) {
    out.note(`there is no folder at ${dir}`);
    return exitCodes.usage;
  }
  const { articles, faults } = await readFolder(dir);
  for (const [path, found] of faults)
    for (const fault of found) out.line(`${path}:${fault.line}: ${describeFault(fault)}`);
  const counts = [...articles].map(([tag, { size }]) => `${size} ${tag}`);
  out.line(`articles: ${counts.join(', ') || 'none'}`);
  return faults.size > 0 ? exitCodes.failure : exitCodes.ok;
}

/** Prints how customers have answered whether each article helped. */
export const votes = (cli: Cli, { json = false }: { json?: boolean }): Promise<ExitCode> =>
  withStore(cli, async ({ store, clock }) => {
    const counts = await createVotes({ store, now: clock.now }).counts();
    if (json)
      cli.out.json(
        counts.map(({ article, helped, notHelped }) => ({ article, helped, not_helped: notHelped })),
      );
    else if (counts.length === 0) cli.out.line('no votes');
    else
      for (const { article, helped, notHelped } of counts)
        cli.out.line(`${article}  ${helped} helped, ${notHelped} not`);
    return exitCodes.ok;
  });
