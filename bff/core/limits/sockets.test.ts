import { describe, expect, it } from 'vitest';
import { createSocketLimits, usualShares } from './sockets.ts';

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
