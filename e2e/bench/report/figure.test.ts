import { describe, expect, it } from 'vitest';
import { figure, summarize } from './figure.ts';

describe('a summary', () => {
  it('of an odd number of rounds has the middle one', () => {
    expect(summarize([9, 1, 5])).toEqual({ median: 5, low: 1, high: 9 });
  });

  it('of an even number of rounds has the mean of the two in the middle', () => {
    expect(summarize([4, 1, 2, 9]).median).toBe(3);
  });

  it('of no rounds is refused', () => {
    expect(() => summarize([])).toThrow('no rounds');
  });
});

describe('a ratio', () => {
  const ratioOf = (of: number[], theirs: number[]) =>
    figure({ table: 't', what: 'w', unit: 'ms', of, beside: { other: theirs } }).beside[0]!.ratio;

  it('of as many rounds is made round by round', () => {
    expect(ratioOf([10, 40], [5, 20])).toEqual({ median: 2, low: 2, high: 2 });
  });

  it('of other numbers of rounds is made with the median of theirs', () => {
    expect(ratioOf([10, 40], [5, 10, 20])).toEqual({ median: 2.5, low: 1, high: 4 });
  });

  it('is null where theirs is nothing', () => {
    expect(ratioOf([1], [0])).toBeNull();
  });
});
