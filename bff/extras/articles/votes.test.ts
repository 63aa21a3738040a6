import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { articlePaths } from '../../../shared/contract/article-paths.ts';
import { bounds } from './bounds.ts';
import { createVotes } from './votes.ts';
import { makeArticleFolder, shopArticles } from './testing/article-folder.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';

const dayMs = 86_400_000;

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff({ values: { ARTICLES_DIR: makeArticleFolder(shopArticles) } });
});
afterEach(() => bff.stop());

const vote = async (id: string, helped: boolean, address = '10.1.1.1') =>
  (await bff.browser({ address }).request('POST', articlePaths.votes(id), { helped })).status;
const votesOf = () => createVotes({ store: bff.store, now: bff.now });

describe('votes on articles', () => {
  it('are counted by article and day, and nothing about the voter is kept', async () => {
    await vote('returns', true);
    await vote('returns', true, '10.1.1.2');
    await vote('returns', false);
    await vote('vat', false);
    const rows = await bff.store.selectFrom('article_votes').selectAll().orderBy('article').execute();
    const day = new Date(bff.now()).toISOString().slice(0, 10);
    expect(rows).toEqual([
      { article: 'returns', day, helped: 2, not_helped: 1 },
      { article: 'vat', day, helped: 0, not_helped: 1 },
    ]);
    expect(await votesOf().counts()).toEqual([
      { article: 'returns', helped: 2, notHelped: 1 },
      { article: 'vat', helped: 0, notHelped: 1 },
    ]);
  });

  it('no longer count after 90 days, and are then removed', async () => {
    await vote('returns', true);
    bff.clock.offsetMs += (bounds.voteDays + 1) * dayMs;
    expect(await votesOf().counts()).toEqual([]);
    await bff.housekeep();
    expect(await bff.store.selectFrom('article_votes').selectAll().execute()).toEqual([]);
  });

  it('on an unknown article are refused, and none is stored', async () => {
    expect(await vote('missing', true)).toBe(404);
    expect(await votesOf().counts()).toEqual([]);
  });

  it('from one address are limited', async () => {
    for (let count = 0; count < 30; count += 1) await vote('returns', true);
    expect(await vote('returns', true)).toBe(429);
    expect(await vote('returns', true, '10.1.1.2')).toBe(201);
  });
});
