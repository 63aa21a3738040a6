import { expect, it } from 'vitest';
import css from './styles.css?inline';

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

/** The sum that the browser does with the luminance of the site's colour: far above white's 1, or below black's 0. */
const ink = /color\(\s*from var\(--color, #0b6b5d\) xyz(?: calc\(\((0?\.\d+) - y\) \* 9999\)){3}\s*\)/.exec(
  css,
);

it('the launcher has a contrast of 4.5:1 or better on every colour', () => {
  const threshold = Number(ink![1]);
  const steps = Array.from({ length: 26 }, (_, index) => linear(index / 25));
  let worst = Infinity;
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        const isWhite = luminance < threshold;
        worst = Math.min(worst, isWhite ? 1.05 / (luminance + 0.05) : (luminance + 0.05) / 0.05);
      }
  expect(worst).toBeGreaterThanOrEqual(4.5);
});
