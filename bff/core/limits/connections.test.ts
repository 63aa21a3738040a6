import { describe, expect, it } from 'vitest';
import type { AppError } from '../errors.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createStreamLimits, createSocketLimits, usualShares } from './connections.ts';

const refusals = createMetrics().limitRefusals;

const many = <Result>(count: number, open: (n: number) => Result) =>
  Array.from({ length: count }, (_, n) => open(n));

describe('limits on open streams', () => {
  it('allow a session six, and a further one when one ends [overload-29]', () => {
    const limits = createStreamLimits({ perAddress: 60, refusals });
    const [first] = many(6, () => limits.take('s', 'ip'));
    expect(() => limits.take('s', 'elsewhere')).toThrow('rate_limited');
    expect(() => limits.take('other', 'ip')).not.toThrow();
    first!();
    first!();
    limits.take('s', 'ip');
    expect(() => limits.take('s', 'ip')).toThrow('rate_limited');
  });

  it('allow a client address sixty', () => {
    const limits = createStreamLimits({ perAddress: 60, refusals });
    const releases = many(60, (n) => limits.take(`s${n}`, 'ip'));
    expect(() => limits.take('one more', 'ip')).toThrow('rate_limited');
    expect(() => limits.take('one more', 'elsewhere')).not.toThrow();
    for (const release of releases) release();
    expect(() => many(60, (n) => limits.take(`s${n}`, 'ip'))).not.toThrow();
  });

  it('allow a total number, and do not count refused streams', () => {
    const limits = createStreamLimits({ perAddress: 60, refusals, inAll: 3, perSession: 1 });
    const [release] = many(2, (n) => limits.take(`s${n}`, 'ip'));
    for (let n = 0; n < 9; n += 1) expect(() => limits.take('s0', 'ip')).toThrow('rate_limited');
    limits.take('s2', 'ip');
    expect(() => limits.take('s3', 'ip')).toThrow('overloaded');
    release!();
    expect(() => limits.take('s3', 'ip')).not.toThrow();
  });

  it('give a time to wait of at least a heartbeat, which differs', () => {
    const limits = createStreamLimits({ perAddress: 60, refusals, inAll: 0 });
    const refusal = () => {
      try {
        limits.take('s', 'ip');
        return 0;
      } catch (error) {
        return (error as AppError).retryAfterSec ?? 0;
      }
    };
    const waits = many(100, refusal);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(20);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});

describe('limits on open connections', () => {
  it('allow an address its share, and a further one when one ends', () => {
    const limits = createSocketLimits({ inAll: 100, perAddress: 3, reserve: 10, few: 2 });
    const [first] = [limits.take('a'), limits.take('a'), limits.take('a')];
    expect(limits.take('a')).toBeNull();
    expect(limits.take('b')).not.toBeNull();
    first!();
    expect(limits.take('a')).not.toBeNull();
    expect(limits.take('a')).toBeNull();
  });

  it('keep the last ones for addresses that have few', () => {
    const limits = createSocketLimits({ inAll: 20, perAddress: 9, reserve: 5, few: 2 });
    const ends = Array.from({ length: 15 }, (_, n) => limits.take(n < 9 ? 'a' : 'b'));
    expect(ends).not.toContain(null);
    expect(limits.take('b')).toBeNull();
    expect([limits.take('c'), limits.take('c')]).not.toContain(null);
    expect(limits.take('c')).toBeNull();
    for (const end of ends) end!();
    expect(limits.take('b')).not.toBeNull();
  });

  it('leave a connection for a customer while eighty addresses take all that they can [overload-24]', () => {
    const limits = createSocketLimits(usualShares);
    let taken = 0;
    for (let address = 0; address < 80; address += 1)
      while (limits.take(`attacker ${address}`) !== null) taken += 1;
    for (let n = 0; n < 6; n += 1) expect(limits.take('customer')).not.toBeNull();
    expect(taken + 6).toBeLessThan(usualShares.inAll);
  });
});
