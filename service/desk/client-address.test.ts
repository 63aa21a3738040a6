import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const proxy = '10.0.0.9';

describe('the address that a client of the desk is counted by', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('for %s is %s, from the socket and from a proxy alike', (address, block) => {
    expect(clientAddress(address, undefined, 0)).toBe(block);
    expect(clientAddress(proxy, address, 1)).toBe(block);
  });

  it('is that of the socket while no proxy is trusted', () => {
    expect(clientAddress('203.0.113.7', '198.51.100.1', 0)).toBe('203.0.113.7');
  });

  it.each([
    ['198.51.100.1, 203.0.113.7', 1],
    ['198.51.100.1,203.0.113.7:4711', 1],
    ['198.51.100.1, 203.0.113.7, 10.0.0.1', 2],
    ['203.0.113.7', 2],
  ])('is counted from the right of %j behind %i proxies, whatever the client writes', (header, hops) => {
    expect(clientAddress(proxy, header, hops)).toBe('203.0.113.7');
  });

  it.each(['', 'unknown', '198.51.100.1, ', '198.51.100.1, x', '1.2.3', '[::1'])(
    'is that of the socket when the proxy wrote no address: %j',
    (header) => {
      expect(clientAddress(proxy, header, 1)).toBe(proxy);
    },
  );

  it('has no port and no brackets', () => {
    expect(clientAddress(proxy, '[2001:db8:1:2::5]:4711', 1)).toBe('2001:db8:1:2');
    expect(clientAddress(proxy, '[2001:db8:1:2::5]', 1)).toBe('2001:db8:1:2');
  });
});
