import { expect, it, vi } from 'vitest';
import { wordsOf } from './article-search.ts';

it.each([
  ['返品したい。30日', ['返品', 'した', 'い', '30', '日']],
  ['คืนสินค้า now', ['คืน', 'สินค้า', 'now']],
  ['No spaces: Größe', ['No', 'spaces', 'Größe']],
])('the words of %j', (text, words) => expect(wordsOf(text)).toEqual(words));

it('a segmenter, whose time grows with the square of a text, gets a long one in pieces', () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  const text = '日本語'.repeat(5_000);
  expect(wordsOf(text).join('')).toBe(text);
  expect(Math.max(...segment.mock.calls.map(([piece]) => piece.length))).toBe(100);
  segment.mockRestore();
});
