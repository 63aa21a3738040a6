import { type Cli, type ExitCode, exitCodes } from '../../core/operator/command.ts';
import { statSync } from 'node:fs';
import type { Extra } from '../../core/extra.ts';
import type { Core } from '../../core/wiring.ts';
import { describeError, isWarning } from './errors.ts';
import { createVotes } from './votes.ts';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Lists the errors and warnings of each article of a folder, by default the folder of the settings. Ends with 1 when
 * there is an error.
 */
async function check({ env, out }: Cli, dir = env['ARTICLES_DIR']): Promise<ExitCode> {
  if (!dir) {
    out.note('name the folder, or set ARTICLES_DIR');
    return exitCodes.usage;
  }
  if (!isFolder(dir)) {
    out.note(`there is no folder at ${dir}`);
    return exitCodes.usage;
  }
  // Markdown is loaded only where it is read.
  const { readFolder } = await import('./read-folder.ts');
  const { articles, errors } = await readFolder(dir);
  for (const [path, found] of errors)
    for (const error of found)
      out.line(`${path}:${error.line}: ${isWarning(error) ? 'warning: ' : ''}${describeError(error)}`);
  const counts = [...articles].map(([tag, { size }]) => `${size} ${tag}`);
  out.line(`articles: ${counts.join(', ') || 'none'}`);
  return [...errors.values()].flat().some((error) => !isWarning(error)) ? exitCodes.failure : exitCodes.ok;
}

/** Prints how customers have answered whether each article helped. */
async function votes({ out }: Cli, core: Core, isJson: boolean): Promise<ExitCode> {
  const counts = await createVotes(core).counts();
  if (isJson)
    out.json(counts.map(({ article, helped, notHelped }) => ({ article, helped, not_helped: notHelped })));
  else if (counts.length === 0) out.line('no votes');
  else
    for (const { article, helped, notHelped } of counts)
      out.line(`${article}  ${helped} helped, ${notHelped} not`);
  return exitCodes.ok;
}

export const addArticlesCommand: NonNullable<Extra['addCommand']> = (program, cli, onExit, withCore) => {
  const articles = program.command('articles').description('the articles of ARTICLES_DIR: check, votes');
  articles
    .command('check')
    .description('name what is wrong with each article, by file and line')
    .argument('[dir]', 'the folder; ARTICLES_DIR unless given')
    .action(async (dir: string | undefined) => onExit(await check(cli, dir)));
  articles
    .command('votes')
    .description('how customers have answered whether each article helped, in the last 90 days')
    .option('--json', 'print it as JSON')
    .action(async ({ json = false }: { json?: boolean }) =>
      onExit(await withCore((core) => votes(cli, core, json))),
    );
};
