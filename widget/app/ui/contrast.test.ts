import { describe, expect, it } from 'vitest';
import launcher from '../../loader/styles.css?inline';
import layout from './layout.css?inline';
import tokens from './tokens.css?inline';

type Rgb = readonly [red: number, green: number, blue: number];

const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const encoded = (channel: number) =>
  channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055;
const linearOf = (hex: string) =>
  [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Rgb;
const luminanceOf = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
function contrast(one: Rgb, other: Rgb) {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** The colour with its OKLCH lightness changed, as `oklch(from … l c h)` makes it; channels are clipped. */
function withLightness([red, green, blue]: Rgb, change: (lightness: number) => number): Rgb {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const lightness = change(0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short);
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (channel: number) => Math.min(1, Math.max(0, channel));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** The colour over the other, as `color-mix(in srgb, …)` makes it. */
const mixed = (color: Rgb, share: number, other: Rgb) =>
  color.map((channel, at) =>
    linear(encoded(channel) * share + encoded(other[at]!) * (1 - share)),
  ) as unknown as Rgb;

/** The values of a token: at first those without a derived colour, then the light and the dark one. */
const valuesOf = (name: string) =>
  [...tokens.matchAll(new RegExp(`--${name}: ([^;]+);`, 'g'))].map(([, value]) => value!);
/** The lightness that a derived colour of a theme is limited to. */
const limitOf = (name: string, theme: 'light' | 'dark') =>
  Number(/m(?:in|ax)\(l, ([\d.]+)\)/.exec(valuesOf(name).at(theme === 'light' ? -2 : -1)!)![1]);

const themes = { light: valuesOf('surface')[0]!, dark: valuesOf('surface')[1]! };
const white: Rgb = [1, 1, 1];
const black: Rgb = [0, 0, 0];
const threshold = Number(/\((0\.\d+) - y\)/.exec(tokens)![1]);

it('a site without a colour has launcher and panel in the same one', () =>
  expect(/background: var\(--color, (#\w+)\)/.exec(launcher)![1]).toBe(valuesOf('accent')[0]));

const steps = Array.from({ length: 16 }, (_, index) => (index * 17).toString(16).padStart(2, '0'));
const cube = steps.flatMap((red) =>
  steps.flatMap((green) => steps.map((blue) => linearOf(`#${red}${green}${blue}`))),
);
const colors: Record<string, Rgb[]> = { 'any colour': cube };
for (const hex of ['#ffe600', '#111111', '#39ff14', '#ffffff', '#2b59c3', '#e11d48', '#7c3aed', '#808080'])
  colors[hex] = [linearOf(hex)];

describe.each(Object.entries(colors))('with %s as the site’s colour', (_name, given) => {
  const worst = (of: (color: Rgb) => number) => Math.min(...given.map(of));

  it('text on it is read at 4.5:1 or better', () => {
    const textOn = (color: Rgb) => (luminanceOf(color) < threshold ? white : black);
    expect(worst((color) => contrast(color, textOn(color)))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['light', 'dark'] as const)('text in it and its edge stand out on a %s panel', (theme) => {
    const panel = linearOf(themes[theme].padEnd(7, 'f'));
    const limit = theme === 'light' ? Math.min : Math.max;
    const derived = (name: string) => (color: Rgb) =>
      contrast(
        withLightness(color, (lightness) => limit(lightness, limitOf(name, theme))),
        panel,
      );
    expect(worst(derived('accent-ink'))).toBeGreaterThanOrEqual(4.5);
    expect(worst(derived('accent-edge'))).toBeGreaterThanOrEqual(3);
  });

  it.each(['light', 'dark'] as const)(
    'quiet text below the greeting is read on the tint of a %s panel',
    (theme) => {
      const panel = linearOf(themes[theme].padEnd(7, 'f'));
      const soft = linearOf(valuesOf('soft')[theme === 'light' ? 0 : 1]!);
      const [, percent] = /--accent\) (\d+)%, var\(--surface\)\) 6rem/.exec(layout)!;
      expect(
        worst((color) => contrast(soft, mixed(color, Number(percent) / 100, panel))),
      ).toBeGreaterThanOrEqual(4.5);
    },
  );
});
