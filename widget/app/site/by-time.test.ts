import { describe, expect, it } from 'vitest';
import type { Site } from '../../../shared/contract/site.ts';
import { replyTime } from './by-time.ts';

const sentences: Site['sentences'] = {
  replyTime: 'Usually replies in 2 hours',
  backOn: 'Back on {day} at {time}',
  backSoon: 'Back {day} at {time}',
  answerOn: 'Answers on {day} after {time}',
  answerSoon: 'Answers {day} after {time}',
};
/** In the zone of this machine, as the customer's own clock shows it. */
const local = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
const textAt = (now: number, hours: Site['hours'], more: Partial<Site['sentences']> = {}) =>
  replyTime({ sentences: { ...sentences, ...more }, ...(hours && { hours }) }, 'en', now)?.text.replaceAll(
    '\u202f',
    ' ',
  );
// Friday the 20th to Monday the 23rd.
const weekend = { isOpen: true, changes: [local(20, 17), local(23, 8), local(23, 17), local(24, 8)] };

describe('the reply time', () => {
  it('is the site’s own sentence when there are no opening hours', () => {
    expect(textAt(local(20, 10), undefined)).toBe('Usually replies in 2 hours');
  });

  it('is the site’s own sentence while support is open', () => {
    expect(textAt(local(20, 10), weekend)).toBe('Usually replies in 2 hours');
    expect(textAt(local(23, 9), weekend)).toBe('Usually replies in 2 hours');
  });

  it('names day and time of the next opening while support is closed', () => {
    expect(textAt(local(20, 18), weekend)).toBe('Back on Monday at 8:00 AM');
    expect(textAt(local(22, 18), weekend)).toBe('Back tomorrow at 8:00 AM');
    expect(textAt(local(23, 7), weekend)).toBe('Back today at 8:00 AM');
  });

  it('names the date of an opening more than six days ahead, since a weekday could be this week’s', () => {
    const holidays = { isOpen: false, changes: [local(30, 8)] };
    expect(textAt(local(20, 10), holidays)).toBe('Back on November 30 at 8:00 AM');
  });

  it('says the same of an answer, for who has just written', () => {
    const answerAt = (now: number) => replyTime({ sentences, hours: weekend }, 'en', now)?.answer;
    expect(answerAt(local(20, 10))).toBe('Usually replies in 2 hours');
    expect(answerAt(local(20, 18))).toMatch(/^Answers on Monday after 8:00.AM$/);
    expect(answerAt(local(22, 18))).toMatch(/^Answers tomorrow after 8:00.AM$/);
  });

  it('is missing after the last change that the document knows, and while no opening is planned', () => {
    expect(textAt(local(29, 10), weekend)).toBeUndefined();
    expect(textAt(local(20, 10), { isOpen: false, changes: [] })).toBeUndefined();
  });
});
