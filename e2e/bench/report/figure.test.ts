import { describe, expect, it } from 'vitest';
import { figure, summarize } from './figure.ts';

describe('a summary', () => {
  it('has the middle round as its median when the number of rounds is odd', () => {
    expect(summarize([9, 1, 5])).toEqual({ median: 5, low: 1, high: 9 });
  });

  it('has the mean of the two middle rounds as its median when the number of rounds is even', () => {
    expect(summarize([4, 1, 2, 9]).median).toBe(3);
  });

  it('is refused when there are no rounds', () => {
    expect(() => summarize([])).toThrow('no rounds');
  });
});

describe('a ratio', () => {
  const ratioOf = (of: number[], theirs: number[]) =>
    figure({ table: 't', what: 'w', unit: 'ms', of, beside: { other: theirs } }).beside[0]!.ratio;

  it('is made round by round when both sides have the same number of rounds', () => {
    expect(ratioOf([10, 40], [5, 20])).toEqual({ median: 2, low: 2, high: 2 });
  });

  it('is made with the median of the other side when the numbers of rounds differ', () => {
    expect(ratioOf([10, 40], [5, 10, 20])).toEqual({ median: 2.5, low: 1, high: 4 });
  });

  it('is null when the other side is zero', () => {
    expect(ratioOf([1], [0])).toBeNull();
  });
});
