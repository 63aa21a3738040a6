import type { Command } from 'commander';
import type { Cli } from './command.ts';
import type { OnExit } from './terminal/output.ts';

/** Names, options and help texts of `deskside articles`. */
export function addArticleCommands(program: Command, cli: Cli, onExit: OnExit): void {
  const articles = program.command('articles').description('the articles of ARTICLES_DIR: check, votes');
  articles
    .command('check')
    .description('name what is wrong with each article, by file and line')
    .argument('[dir]', 'the folder; ARTICLES_DIR unless given')
    .action(async (dir: string | undefined) => {
      const { check } = await import('./commands/articles.ts');
      onExit(await check(cli, dir));
    });
  articles
    .command('votes')
    .description('how customers have answered whether each article helped, in the last 90 days')
    .option('--json', 'print it as JSON')
    .action(async (options: { json?: boolean }) => {
      const { votes } = await import('./commands/articles.ts');
      onExit(await votes(cli, options));
    });
}
