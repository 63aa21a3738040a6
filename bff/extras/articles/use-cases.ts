import type { Counter } from 'prom-client';
import type { Articles } from './articles.ts';
import type { Votes } from './votes.ts';
import { AppError } from '../../core/errors.ts';
import type { Limits } from '../../core/limits/limits.ts';

/** What anybody can do with the operator's articles. They are public: no session is required, and none is created. */
export function createArticleUseCases(deps: {
  articles: Articles;
  votes: Pick<Votes, 'add'>;
  limits: Pick<Limits, 'take'>;
  counted: Pick<Counter<'answer'>, 'inc'>;
}) {
  const { articles, votes, limits, counted } = deps;

  return {
    /** The current articles. */
    current: articles.freshEdition,

    imageBytes: articles.imageBytes,

    /**
     * Counts whether an article helped. `address`: of the client, used only for the limit.
     * @throws {AppError} `not_found`, or `rate_limited`
     */
    async vote(id: string, helped: boolean, address: string): Promise<void> {
      if (!(await articles.freshEdition()).has(id)) throw new AppError('not_found');
      await limits.take([{ policy: 'votes-ip', key: address }]);
      await votes.add(id, helped);
      counted.inc({ answer: helped ? 'helped' : 'not_helped' });
    },
  };
}

export type ArticleUseCases = ReturnType<typeof createArticleUseCases>;
