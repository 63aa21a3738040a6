import { afterEach, expect, it } from 'vitest';
import { takeLinked } from './address.ts';

afterEach(() => history.replaceState(null, '', '/'));

it.each([
  ['#ticket=5f0c', 'ticket', '5f0c'],
  ['#ticket=T%3A12', 'ticket', 'T:12'],
  ['#handoff=a_b-c', 'handoff', 'a_b-c'],
] as const)('the link %s is used once, and removed from the address', (hash, name, value) => {
  history.replaceState(null, '', `/?lang=de${hash}`);
  expect(takeLinked(name)).toBe(value);
  expect(location.pathname + location.search + location.hash).toBe('/?lang=de');
  expect(takeLinked(name)).toBeUndefined();
});

it.each(['#handoff=1', '#ticket=', '#ticket=%', '#x', ''])('%j names no ticket', (hash) => {
  history.replaceState(null, '', `/${hash}`);
  expect(takeLinked('ticket')).toBeUndefined();
});
