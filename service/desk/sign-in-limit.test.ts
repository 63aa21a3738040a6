import { describe, expect, it } from 'vitest';
import { addressBlock, AttemptLimit } from './sign-in-limit.ts';

describe('AttemptLimit', () => {
  it('lets through as many as it says in each window, by key', () => {
    const limit = new AttemptLimit(2, 1000);
    expect([limit.take('a', 0), limit.take('a', 1), limit.take('a', 999)]).toStrictEqual([true, true, false]);
    expect(limit.take('b', 2)).toBe(true);
    expect(limit.take('a', 1000)).toBe(true);
  });

  it('starts over for a key that is forgotten', () => {
    const limit = new AttemptLimit(1, 1000);
    limit.take('a', 0);
    limit.forget('a');
    expect(limit.take('a', 1)).toBe(true);
  });
});

describe('addressBlock', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('%s belongs to %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });
});
