import { expect, it } from 'vitest';
import { moveBy, whole, zoomBy } from './Viewer.tsx';

const stage = { width: 400, height: 600 };

it('what is pressed stays in its place', () => {
  const at = { x: 100, y: -150 };
  const once = zoomBy(whole, 2, at, stage);
  expect(once).toEqual({ scale: 2, x: -100, y: 150 });
  // The point of the picture under `at`, before and after.
  const twice = zoomBy(once, 1.5, at, stage);
  expect((at.x - once.x) / once.scale).toBeCloseTo((at.x - twice.x) / twice.scale);
});

it('the picture never leaves the stage, and is never smaller than it', () => {
  const large = zoomBy(whole, 2, { x: 0, y: 0 }, stage);
  expect(moveBy(large, { x: 9_999, y: -9_999 }, stage)).toEqual({ scale: 2, x: 200, y: -300 });
  expect(moveBy(whole, { x: 5, y: 5 }, stage)).toEqual(whole);
  expect(zoomBy(moveBy(large, { x: 200, y: 0 }, stage), 0.01, { x: 50, y: 50 }, stage)).toEqual(whole);
  expect(zoomBy(large, 1_000, { x: 0, y: 0 }, stage).scale).toBe(8);
});
