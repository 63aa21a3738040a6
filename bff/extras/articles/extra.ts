import { articlePaths } from '../../../shared/contract/article-paths.ts';
import type { Extra } from '../../core/extra.ts';
import { sentencesOf } from '../../core/site/site.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { addArticlesCommand } from './command.ts';
import { articleRoutes } from './routes.ts';
import { articleSettings } from './settings.ts';
import { articleSchema, createVotes } from './votes.ts';

/** Serves the operator's help articles, a folder of Markdown. Markdown is loaded only where there is one. */
export const articles: Extra = {
  name: 'articles',
  isForServer: true,
  settings: articleSettings,
  addCommand: addArticlesCommand,
  schema: articleSchema,
  async create({ config, store, limits, log, declare, now, elapsed }) {
    const votes = createVotes({ store, now });
    const counted = declare.counter({
      name: 'deskside_article_votes_total',
      help: 'Answers to whether an article helped, by answer: helped, not_helped.',
      labelNames: ['answer'],
    });
    const chores = [votes.removeOld];
    const { ARTICLES_DIR: dir } = valuesOf(articleSettings, config.values);
    if (dir === undefined) return { chores };
    const { openArticles } = await import('./articles.ts');
    const opened = await openArticles({ dir, votes, log, elapsed });
    return {
      chores,
      routes: ({ guard }) => ({
        [articlePaths.current]: articleRoutes({ articles: opened, votes, limits, counted, guard }),
      }),
      site(language) {
        const { site, no } = sentencesOf(language);
        const top = opened.top(language);
        if (top.length === 0) return {};
        return {
          articles: {
            hash: opened.edition().hash,
            top: top.map(({ id, title, lang }) => ({ id, title, ...(lang && { lang }) })),
            sentences: { ...site.articles, no },
          },
        };
      },
    };
  },
};
