import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isUuid } from '../../../shared/contract/ids.ts';
import { newRowId } from './schema.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

it('ids of rows are UUIDs, all different, and sort by the millisecond of their creation', () => {
  const ids = Array.from({ length: 2_000 }, (_, n) => {
    vi.setSystemTime(n);
    return newRowId();
  });
  expect(ids.every(isUuid)).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

it('ids of one millisecond are different', () => {
  vi.setSystemTime(0);
  expect(new Set(Array.from({ length: 2_000 }, newRowId)).size).toBe(2_000);
});
