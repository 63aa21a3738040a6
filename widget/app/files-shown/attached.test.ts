import { expect, it } from 'vitest';
import { boxOf } from './Attached.tsx';

it.each([
  ['a landscape', 2560, 1440, 240, 135],
  ['a portrait', 1440, 2560, 101, 180],
  ['one that is smaller than its room', 200, 120, 200, 120],
  ['an icon', 16, 16, 96, 72],
  ['a very long one', 800, 40_000, 96, 180],
  ['a very wide one', 40_000, 800, 240, 72],
])('%s gets room by its pixels before it is loaded', (_, width, height, shownWidth, shownHeight) => {
  expect(boxOf({ width, height })).toMatchObject({ width: shownWidth, height: shownHeight });
});

it('without known pixels it gets all the room, and is not cut to it', () => {
  expect(boxOf({})).toEqual({ width: 240, height: 180, isSmall: true });
});
