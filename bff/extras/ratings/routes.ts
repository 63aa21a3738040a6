import { Hono } from 'hono';
import type { Counter } from 'prom-client';
import { z } from 'zod';
import { maxRatingWord, type Rating } from '../../../shared/contract/ratings.ts';
import { AppError } from '../../core/errors.ts';
import { answer } from '../../core/http/answer.ts';
import type { AppEnv } from '../../core/http/context.ts';
import { readBody } from '../../core/http/validate.ts';
import { invalid, lines, required } from '../../core/text/fields.ts';
import type { Core } from '../../core/wiring.ts';
import type { Ratings } from './ratings.ts';

/** A field of a form may be empty, or have nothing but space. */
const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional());

const ratingSchema: z.ZodType<Rating> = z
  .object({
    solved: optional(z.boolean(invalid)),
    score: optional(z.literal([1, 2, 3, 4, 5], invalid)),
    word: optional(lines(maxRatingWord)),
  })
  .refine(({ solved, score }) => solved !== undefined || score !== undefined, {
    path: ['score'],
    error: required,
  });

/** Below the path of tickets, with the gate, the session and the limits of all requests there. */
export function ratingRoutes(deps: {
  tickets: Pick<Core['tickets'], 'findAccess'>;
  ratings: Pick<Ratings, 'put'>;
  scores: Counter<'score'>;
  solved: Counter<'solved'>;
}) {
  const { tickets, ratings, scores, solved } = deps;
  return new Hono<AppEnv>().put('/:id/rating', async (c) => {
    const access = await tickets.findAccess(c.get('visitor'), c.req.param('id'));
    if ('opening' in access) throw new AppError('not_found');
    const change = await ratings.put(access.grant, await readBody(c, ratingSchema));
    if (change.score !== null) scores.inc({ score: change.score });
    if (change.solved !== null) solved.inc({ solved: change.solved ? 'yes' : 'no' });
    return answer(c, null);
  });
}
