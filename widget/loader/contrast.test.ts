import { expect, it } from 'vitest';
import { inkOn } from './contrast.ts';

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

it('reads at 4.5:1 or better on every colour', () => {
  const steps = Array.from({ length: 26 }, (_, index) => index / 25);
  let worst = Infinity;
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        const isWhite = inkOn(`color(srgb ${red} ${green} ${blue})`) === '#fff';
        worst = Math.min(worst, isWhite ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05);
      }
  expect(worst).toBeGreaterThanOrEqual(4.5);
});

it('reads exponents and alpha as browsers write them', () => {
  expect(inkOn('color(srgb 1e-7 0 0)')).toBe('#fff');
  expect(inkOn('color(srgb 1 1 1 / 0.5)')).toBe('#000');
});
