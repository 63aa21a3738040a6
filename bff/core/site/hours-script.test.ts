import { expect, it } from 'vitest';
import type { Site } from '../../../shared/contract/site.ts';
import { createHoursScript, noHours } from './hours-script.ts';

const minute = 60_000;
const articles = {} as NonNullable<Site['articles']>;

/** What a page is told at these times; the site is read again after a minute. */
function told(site: Partial<Site>, ...times: number[]) {
  let time = 0;
  const clock = { now: () => time, elapsed: () => time };
  const script = createHoursScript(() => ({ sentences: {}, ...site }), clock);
  return times.map((each) => {
    time = each;
    return JSON.parse(script().replace('export default ', '')) as unknown;
  });
}

it('the module follows the changes, and says when to ask again: at the next change, within one to ten minutes', () => {
  const hours = { isOpen: true, changes: [5 * minute, 60 * minute] };
  expect(told({ hours }, 0, 4.5 * minute, 5 * minute, 57 * minute)).toEqual([
    { isOpen: true, hasArticles: false, askAgainMs: 5 * minute },
    { isOpen: true, hasArticles: false, askAgainMs: minute },
    { isOpen: false, hasArticles: false, askAgainMs: 10 * minute },
    { isOpen: false, hasArticles: false, askAgainMs: 3 * minute },
  ]);
});

it('the module says whether there are articles', () => {
  const hours = { isOpen: false, changes: [] };
  expect(told({ hours, articles }, 0)).toEqual([
    { isOpen: false, hasArticles: true, askAgainMs: 10 * minute },
  ]);
});

it('the module is null without hours', () => {
  expect(told({}, 0)).toEqual([null]);
  expect(createHoursScript(null, { now: () => 1, elapsed: () => 0 })()).toBe(noHours);
});
