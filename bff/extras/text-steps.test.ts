import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Counting, startCounting } from '../testing/steps/steps.ts';
import { ways } from './test-ways.ts';
import { repeatable, strangeText } from '../testing/texts.ts';

/* No text of a stranger may stop the process, or a browser: work grows as the text does. */

const length = 8_000;
/** Steps for each UTF-16 unit of one text, and of many texts in the mean. By the square of the length, they are thousands. */
const most = { one: 250, mean: 30 };

const started: Counting[] = [];
const start = async (module: URL) => {
  const counting = await startCounting(module);
  started.push(counting);
  return counting;
};
let counting: Counting;
beforeAll(async () => {
  counting = await start(new URL('./test-ways.ts', import.meta.url));
});
afterAll(() => Promise.all(started.map((each) => each.end())));

const filled = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** In the mean, for texts that repeat one of these pieces. */
const perUnit = async (way: string, pieces: readonly string[]) =>
  (await counting.of(way, pieces.map(filled))) / length / pieces.length;

it('a way that looks at all letters for each letter takes too many steps', async () => {
  const slow = 'export const ways = { slow(text) { for (const a of text) for (const b of text) a === b; } }';
  const { of } = await start(new URL(`data:text/javascript,${encodeURIComponent(slow)}`));
  expect((await of('slow', [filled('a')])) / length).toBeGreaterThan(most.one);
});

describe.each(Object.keys(ways))('%s', (way) => {
  it('takes few steps a letter, whatever piece the text repeats [overload-17]', async () => {
    const slow: string[] = [];
    // Of all at once first: taking a count takes long.
    if ((await perUnit(way, repeatable)) > most.mean)
      for (const piece of repeatable) if ((await perUnit(way, [piece])) > most.one) slow.push(piece);
    expect(slow).toEqual([]);
  });

  it('takes few steps a letter, for texts that repeat drawn pieces', async () => {
    const piece = strangeText(60).filter((text) => text !== '');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 30, maxLength: 30 }), async (pieces) => {
        expect(await perUnit(way, pieces)).toBeLessThan(most.mean);
      }),
      { numRuns: 3 },
    );
  });
});
