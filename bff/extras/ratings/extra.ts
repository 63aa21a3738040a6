import { paths } from '../../../shared/contract/paths.ts';
import type { Extra } from '../../core/extra.ts';
import type { Part } from '../../core/part.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import { sentencesOf } from '../../core/site/site.ts';
import { ratingChecks } from './checks.ts';
import { addRatingsCommand } from './command.ts';
import { createHook, hookDelayMs } from './hook.ts';
import { createRatings } from './ratings.ts';
import { ratingRoutes } from './routes.ts';
import { ratingSettings } from './settings.ts';
import { ratingSchema } from './tables.ts';

export interface RatingsPart extends Part {
  /** Sends what is due to `RATING_HOOK`. */
  deliver?: () => Promise<void>;
}

/**
 * Asks customers whether an answer solved their question, and for a rating. v1 has no field for it: agents read it at
 * `RATING_HOOK`, and operators with `deskside ratings`. Ratings from before stay in customers' data where it is off.
 */
export const ratings: Extra = {
  name: 'ratings',
  settings: ratingSettings,
  schema: ratingSchema,
  checks: ratingChecks,
  addCommand: addRatingsCommand,
  create(core): RatingsPart {
    const {
      RATINGS,
      RATING_HOOK: url,
      RATING_HOOK_SECRET: secret,
    } = valuesOf(ratingSettings, core.config.values);
    const kept = createRatings(core, url === undefined ? null : hookDelayMs);
    const scores = core.declare.counter({
      name: 'deskside_ratings_total',
      help: 'Ratings of conversations, by score from 1 to 5. A changed one counts again.',
      labelNames: ['score'],
    });
    const solved = core.declare.counter({
      name: 'deskside_solved_total',
      help: 'Answers to whether a conversation solved the question: yes, no. A changed one counts again.',
      labelNames: ['solved'],
    });
    const always: RatingsPart = {
      ticketData: async (_ticketIds, subjectId) =>
        new Map([...(await kept.ofSubject(subjectId))].map(([id, rating]) => [id, { rating }])),
      onTransfer: kept.copy,
    };
    if (RATINGS !== 'on') return always;
    const hook = url === undefined ? null : createHook(core, { ratings: kept, url, secret });
    return {
      ...always,
      ticketView: async (held) => ({ rating: await kept.stateOf(held) }),
      routes: () => ({
        [paths.tickets]: ratingRoutes({ tickets: core.tickets, ratings: kept, scores, solved }),
      }),
      site(language) {
        const { ratings: sentences, articles } = sentencesOf(language).site;
        return { ratings: { sentences: { ...sentences, yes: articles.yes } } };
      },
      ...(hook && { deliver: hook.pass, start: hook.start, stop: hook.stop }),
    };
  },
};
