import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

it.each([
  ['opne', ['open', 'on'], 'open'],
  ['z-index', ['zIndex'], 'zIndex'],
  ['boot', ['on', 'open', 'show'], undefined],
  ['x'.repeat(1_000_000), ['open'], undefined],
])('finds what was meant: %s', (name, names, meant) => expect(nearest(name, names)).toBe(meant));
