import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { type SearchedArticle, searchOptions } from '../../../shared/contract/article-search.ts';
import { createFinder } from './find.ts';

const articles: SearchedArticle[] = [
  {
    id: 'returns',
    title: 'Returning an order',
    text: 'You can send anything back within 30 days. Write to us for a label.',
  },
  { id: 'delivery', title: 'Delivery times', text: 'What you order before noon leaves us on the same day.' },
  { id: 'damage', title: 'A piece arrived broken', text: 'Take a photograph, then write to us.' },
  { id: 'care', title: 'Looking after your kettle', text: 'Rinse it. A piece of advice: no soap.' },
  { id: 'japanese', title: '返品について', text: '30日以内に返送してください。' },
];

function finderOf(documents = articles) {
  const index = new MiniSearch<SearchedArticle>(searchOptions);
  index.addAll(documents);
  const list = documents.map(({ id, title }) => ({ id, title, summary: '' }));
  return createFinder(JSON.stringify(index), list);
}
const finder = await finderOf();
const found = (query: string) => finder.find(query).map(({ id }) => id);
const suggested = (message: string) => finder.suggest(message).map(({ id }) => id);

describe('search', () => {
  it.each([
    ['ret', ['returns']],
    ['order return', ['returns']],
    ['retun ordr', ['returns']],
    ['kettel', ['care']],
    ['PIECE', ['damage', 'care']],
    ['返品', ['japanese']],
    ['zebra', []],
    ['?!', []],
  ])('for %j finds %j', (query, ids) => expect(found(query)).toEqual(ids));

  it('finds articles with any of the words if no article has all of them', () => {
    expect(found('kettle noon').toSorted()).toEqual(['care', 'delivery']);
  });
});

describe('suggestions', () => {
  it('are found by the significant words of a message', () => {
    expect(suggested('Hello, my teapot has just arrived and it is broken. What do I do?')[0]).toBe('damage');
    expect(suggested('返品したいのですが')[0]).toBe('japanese');
  });

  it('are empty for common words, and for words that no article has', () => {
    expect(suggested('is it on us')).toEqual([]);
    expect(suggested('zebra crossing painted wrongly')).toEqual([]);
  });

  it('are at most three, even if all articles have the words', async () => {
    const many = Array.from({ length: 9 }, (_, nth) => ({ id: `a${nth}`, title: 'Kettles', text: '' }));
    expect((await finderOf(many)).suggest('About my kettles please')).toHaveLength(3);
  });
});
