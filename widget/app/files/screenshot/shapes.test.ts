import { describe, expect, it } from 'vitest';
import { arrowPath, boxOf, longestSide, middleShape, moved, type Shape, sizeOf, strokeOf } from './shapes.ts';

const picture = { width: 1000, height: 600 };
const shape = (x1: number, y1: number, x2: number, y2: number, tool: Shape['tool'] = 'hide'): Shape => ({
  tool,
  from: { x: x1, y: y1 },
  to: { x: x2, y: y2 },
});

describe('the pixels of a shape', () => {
  it.each([
    ['drawn from the top left', shape(10, 20, 110, 70), { x: 10, y: 20, width: 100, height: 50 }],
    ['drawn from the bottom right', shape(110, 70, 10, 20), { x: 10, y: 20, width: 100, height: 50 }],
    [
      'between pixels take all that they touch',
      shape(10.6, 20.4, 20.2, 30.1),
      { x: 10, y: 20, width: 11, height: 11 },
    ],
    ['beside the picture are on it', shape(-50, -50, 5000, 5000), { x: 0, y: 0, width: 1000, height: 600 }],
    ['without size are one', shape(1000, 600, 1000, 600), { x: 999, y: 599, width: 1, height: 1 }],
  ])('%s', (_name, given, box) => expect(boxOf(given, picture)).toEqual(box));
});

describe('a shape that is moved', () => {
  it('keeps its size at the edge of the picture', () =>
    expect(moved(shape(10, 10, 110, 60), 'all', -500, 5000, picture)).toEqual(shape(0, 550, 100, 600)));

  it('by one corner keeps the opposite one', () =>
    expect(moved(shape(10, 10, 110, 60), ['to', 'from'], 20, -5, picture)).toEqual(shape(10, 5, 130, 60)));

  it('by a corner past the opposite one is turned over', () => {
    const turned = moved(shape(10, 10, 110, 60), ['from', 'from'], 300, 300, picture);
    expect(boxOf(turned, picture)).toEqual({ x: 110, y: 60, width: 200, height: 250 });
  });

  it('does not change the one before, to which a step back leads', () => {
    const before = shape(10, 10, 110, 60);
    moved(before, ['to', 'to'], 20, 20, picture);
    expect(before).toEqual(shape(10, 10, 110, 60));
  });
});

it('a shape made by keys is in the middle of what is on screen', () =>
  expect(middleShape('crop', { x: 100, y: 100, width: 500, height: 300 })).toEqual(
    shape(150, 130, 550, 370, 'crop'),
  ));

it('an arrow that is shorter than its head is no longer than it was drawn', () =>
  expect(arrowPath(shape(0, 0, 10, 0, 'arrow'), 4)).toMatch(
    /^M0 0L10 0M1\.2\d* -4\.7\d*L10 0L1\.2\d* 4\.7\d*$/,
  ));

it('an arrow is seen on a large picture and on a small one', () =>
  expect([strokeOf({ width: 4800, height: 3000 }), strokeOf({ width: 200, height: 100 })]).toEqual([30, 3]));

it.each([
  [
    { width: 5120, height: 2880 },
    { width: longestSide, height: 1440 },
  ],
  [
    { width: 1500, height: 5000 },
    { width: 768, height: longestSide },
  ],
  [
    { width: 1280, height: 800 },
    { width: 1280, height: 800 },
  ],
  [
    { width: 20_000, height: 1 },
    { width: longestSide, height: 1 },
  ],
])('a picture of %o is sent as %o', (given, sent) => expect(sizeOf(given)).toEqual(sent));
