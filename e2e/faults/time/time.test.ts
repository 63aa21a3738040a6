import { describe, expect, it } from 'vitest';
import { createTime, shiftAt } from './time.ts';

describe('createTime', () => {
  const { virtualAt, realAt } = createTime({ fromMs: 1_000, untilMs: 2_000, speed: 60 });

  it('runs like real time before and after the run, and faster during it', () => {
    expect([500, 1_000, 1_500, 2_000, 2_500].map(virtualAt)).toStrictEqual([
      500, 1_000, 31_000, 61_000, 61_500,
    ]);
  });

  it('finds the real time of a virtual one', () => {
    const moments = [500, 1_000, 1_010, 1_999, 2_000, 9_000];
    expect(moments.map((real) => realAt(virtualAt(real)))).toStrictEqual(moments);
  });

  it('can stay fast without an end', () => {
    const fast = createTime({ fromMs: 1_000, untilMs: Infinity, speed: 20 });
    expect([fast.virtualAt(2_000), fast.realAt(21_000)]).toStrictEqual([21_000, 2_000]);
  });
});

describe('shiftAt', () => {
  it('is the sum of the shifts at that time', () => {
    const shifts = [
      { fromMs: 1_000, toMs: 3_000, byMs: 7_200_000 },
      { fromMs: 2_000, toMs: Infinity, byMs: -660_000 },
    ];
    expect([999, 1_000, 2_000, 3_000].map((at) => shiftAt(shifts, at))).toStrictEqual([
      0, 7_200_000, 6_540_000, -660_000,
    ]);
  });
});
