import { describe, expect, it } from 'vitest';
import { createPace, type Interest, intervalMs, pauseMs, shareMs } from './pace.ts';

const config = { activeMs: 2_000, idleMs: 15_000 };
const calm: Interest = { isOnScreen: true, isAwaited: false, quietMs: 0, failures: 0 };
const interval = (more: Partial<Interest>) => intervalMs({ ...calm, ...more }, config);

describe('the interval between reads', () => {
  it('is short on screen, longer for the badge', () => {
    expect(interval({})).toBe(2_000);
    expect(interval({ isOnScreen: false })).toBe(15_000);
  });

  it('grows in long silence and with failures, up to five minutes', () => {
    expect(interval({ quietMs: 11 * 60_000 })).toBe(4_000);
    expect(interval({ quietMs: 10 * 3_600_000 })).toBe(8_000);
    expect(interval({ failures: 3 })).toBe(16_000);
    expect(interval({ isOnScreen: false, failures: 50, quietMs: 1e9 })).toBe(300_000);
  });

  it('has random variation, and is four times as long for a ticket that the list covers', () => {
    expect(pauseMs(2_000, false, 0)).toBe(1_800);
    expect(pauseMs(2_000, false, 1)).toBe(2_200);
    expect(pauseMs(2_000, true, 0.5)).toBe(8_000);
    expect(pauseMs(200_000, true, 0.5)).toBe(300_000);
  });
});

describe('the share of the turns', () => {
  const quietMs = 5 * 60_000;
  it('is half for a conversation where no answer is awaited or new', () => {
    expect(shareMs(2_000, { ...calm, quietMs }, false)).toBe(4_000);
    expect(shareMs(2_000, { ...calm, quietMs, isAwaited: true }, false)).toBe(2_000);
    expect(shareMs(2_000, { ...calm, quietMs: 60_000 }, false)).toBe(2_000);
  });

  it('is a quarter for a ticket that the list covers', () => {
    expect(shareMs(2_000, { ...calm, isAwaited: true }, true)).toBe(8_000);
  });
});

describe('the turns of a pace', () => {
  /** Takes every available turn until `untilMs`, with a delay of `stallMs` after each. */
  function takeAll(perSecond: number, untilMs: number, stallMs: (turn: number) => number = () => 0) {
    let time = 0;
    const pace = createPace(
      () => perSecond,
      () => time,
    );
    const times: number[] = [];
    while (time < untilMs) {
      time += pace.waitMs();
      times.push(time);
      pace.take();
      time += stallMs(times.length);
    }
    return times;
  }
  const mostInASecond = (times: number[]) =>
    Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1_000).length));

  it.each([1, 3, 20, 1_000])(
    'are never more than %i in any second, also after delays [live-10]',
    (perSecond) => {
      expect(mostInASecond(takeAll(perSecond, 5_000))).toBeLessThanOrEqual(perSecond);
      const heldUp = takeAll(perSecond, 5_000, (turn) => (turn % 7 === 0 ? 180 : 0));
      expect(mostInASecond(heldUp)).toBeLessThanOrEqual(perSecond);
    },
  );

  it('make up for the milliseconds by which each is late', () => {
    const times = takeAll(20, 60_000, () => 12);
    expect(times.length).toBeGreaterThan(20 * 59);
  });

  it('come at even intervals once the start is over', () => {
    const times = takeAll(20, 10_000).slice(40);
    const distances = times.slice(1).map((at, i) => Math.round(at - times[i]!));
    expect(new Set(distances)).toEqual(new Set([50]));
  });

  it('are available at once after a pause', () => {
    let time = 0;
    const pace = createPace(
      () => 20,
      () => time,
    );
    for (let i = 0; i < 5; i += 1) pace.take();
    time = 60_000;
    expect(pace.waitMs()).toBe(0);
  });

  it('become fewer at once when other instances share them, and more when these are gone', () => {
    let [time, perSecond] = [0, 20];
    const pace = createPace(
      () => perSecond,
      () => time,
    );
    const times: number[] = [];
    for (; time < 30_000; pace.take()) {
      time += pace.waitMs();
      times.push(time);
      perSecond = time < 10_000 || time >= 20_000 ? 20 : 5;
    }
    const inSecond = (second: number) => times.filter((at) => Math.floor(at / 1_000) === second).length;
    expect([5, 15, 25].map(inSecond)).toEqual([20, 5, 20]);
  });
});
