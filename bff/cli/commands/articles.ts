import { statSync } from 'node:fs';
import { describeError, isWarning } from '../../articles/errors.ts';
import { readFolder } from '../../articles/read-folder.ts';
import { createVotes } from '../../articles/votes.ts';
import type { Cli } from '../command.ts';
import { withStore } from '../open-store.ts';
import { type ExitCode, exitCodes } from '../terminal/output.ts';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Lists the errors and warnings of each article of a folder, by default the folder of the settings. Ends with 1 when
 * there is an error.
 */
export async function check({ env, out }: Cli, dir = env['ARTICLES_DIR']): Promise<ExitCode> {
  if (!dir) {
    out.note('name the folder, or set ARTICLES_DIR');
    return exitCodes.usage;
  }
  if (!isFolder(dir)) {
    out.note(`there is no folder at ${dir}`);
    return exitCodes.usage;
  }
  const { articles, errors } = await readFolder(dir);
  for (const [path, found] of errors)
    for (const error of found)
      out.line(`${path}:${error.line}: ${isWarning(error) ? 'warning: ' : ''}${describeError(error)}`);
  const counts = [...articles].map(([tag, { size }]) => `${size} ${tag}`);
  out.line(`articles: ${counts.join(', ') || 'none'}`);
  return [...errors.values()].flat().some((error) => !isWarning(error)) ? exitCodes.failure : exitCodes.ok;
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
