import { expect, it } from 'vitest';
import { shortNames } from './short-names.ts';

it('names for minified code are all different, and the shortest come first', () => {
  const names = Array.from({ length: 10_000 }, (_, ordinal) => shortNames.get(ordinal));
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => /^[A-Za-z_$][\w$]*$/.test(name))).toBe(true);
  expect(names.map(({ length }) => length)).toEqual(
    names.map(({ length }) => length).toSorted((a, b) => a - b),
  );
});
