import { describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import { createConnectionLimits } from './connections.ts';

const refusals = createMetrics().limitRefusals;

const many = (count: number, open: (n: number) => () => void) =>
  Array.from({ length: count }, (_, n) => open(n));

describe('limits on open streams', () => {
  it('allow a session six, and a further one when one ends [overload-29]', () => {
    const limits = createConnectionLimits({ perAddress: 60, refusals });
    const [first] = many(6, () => limits.take('s', 'ip'));
    expect(() => limits.take('s', 'elsewhere')).toThrow('rate_limited');
    expect(() => limits.take('other', 'ip')).not.toThrow();
    first!();
    first!();
    limits.take('s', 'ip');
    expect(() => limits.take('s', 'ip')).toThrow('rate_limited');
  });

  it('allow a client address sixty', () => {
    const limits = createConnectionLimits({ perAddress: 60, refusals });
    const releases = many(60, (n) => limits.take(`s${n}`, 'ip'));
    expect(() => limits.take('one more', 'ip')).toThrow('rate_limited');
    expect(() => limits.take('one more', 'elsewhere')).not.toThrow();
    for (const release of releases) release();
    expect(() => many(60, (n) => limits.take(`s${n}`, 'ip'))).not.toThrow();
  });

  it('allow a total number, and do not count refused streams', () => {
    const limits = createConnectionLimits({ perAddress: 60, refusals, inAll: 3, perSession: 1 });
    const [release] = many(2, (n) => limits.take(`s${n}`, 'ip'));
    for (let n = 0; n < 9; n += 1) expect(() => limits.take('s0', 'ip')).toThrow('rate_limited');
    limits.take('s2', 'ip');
    expect(() => limits.take('s3', 'ip')).toThrow('overloaded');
    release!();
    expect(() => limits.take('s3', 'ip')).not.toThrow();
  });

  it('give the time to wait', () => {
    const limits = createConnectionLimits({ perAddress: 60, refusals, perSession: 0 });
    expect(() => limits.take('s', 'ip')).toThrow(expect.objectContaining({ status: 429, retryAfterSec: 20 }));
  });
});
