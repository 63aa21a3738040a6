import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const proxy = '10.0.0.9';

describe('the address that a client is counted by', () => {
  it('is that of the socket when no proxy is trusted, whatever the header says', () => {
    for (const forged of [undefined, '', '1.2.3.4', '1.2.3.4, 5.6.7.8', '::1', 'unknown', ', ,'])
      expect(clientAddress('203.0.113.7', forged, 0)).toBe('203.0.113.7');
  });

  it('is counted from the right of the header, so that entries of the client have no effect [overload-5]', () => {
    const seen = '203.0.113.7';
    for (const forged of [
      '',
      '1.2.3.4, ',
      '9.9.9.9, 8.8.8.8, 7.7.7.7, ',
      'x, ',
      '[::1]:1, ',
      ',,,',
      '"quoted", ',
    ])
      expect(clientAddress(proxy, forged + seen, 1)).toBe(seen);
    expect(clientAddress(proxy, `1.2.3.4, ${seen}, 10.0.0.1`, 2)).toBe(seen);
    expect(clientAddress(proxy, `1.2.3.4, ${seen}, 10.0.0.1, 10.0.0.2`, 3)).toBe(seen);
  });

  it('is the leftmost entry when the header is shorter than the chain, since our own proxy wrote it', () => {
    expect(clientAddress(proxy, '203.0.113.7', 2)).toBe('203.0.113.7');
    expect(clientAddress(proxy, '203.0.113.7, 10.0.0.1', 5)).toBe('203.0.113.7');
  });

  it('is that of the socket when the trusted entry cannot be read', () => {
    for (const entry of [
      '',
      'unknown',
      '_hidden',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '1.2.3.4:x',
      '[::1',
      'g::1',
    ])
      expect(clientAddress(proxy, `1.2.3.4, ${entry}`, 1)).toBe(proxy);
    expect(clientAddress(proxy, undefined, 1)).toBe(proxy);
    expect(clientAddress(undefined, undefined, 0)).toBe('unknown');
  });

  it('has no port and no brackets', () => {
    expect(clientAddress(proxy, '203.0.113.7:4711', 1)).toBe('203.0.113.7');
    expect(clientAddress(proxy, '[2001:db8:1:2::5]:4711', 1)).toBe('2001:db8:1:2::/64');
    expect(clientAddress(proxy, '[2001:db8:1:2::5]', 1)).toBe('2001:db8:1:2::/64');
  });

  it('is a /64 for IPv6, however it is written', () => {
    for (const same of [
      '2001:db8:0:0:aaaa:bbbb:cccc:dddd',
      '2001:DB8::1',
      '2001:0db8:0000:0000::',
      '2001:db8::1%eth0',
      '2001:db8::5:192.0.2.1',
    ])
      expect(clientAddress(same, undefined, 0)).toBe('2001:db8:0:0::/64');
    expect(clientAddress('2001:db8:0:1::1', undefined, 0)).not.toBe('2001:db8:0:0::/64');
    expect(clientAddress('::1', undefined, 0)).toBe('0:0:0:0::/64');
  });

  it('is the IPv4 address when that came through an IPv6 socket', () => {
    for (const same of ['::ffff:203.0.113.7', '::FFFF:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7'])
      expect(clientAddress(same, undefined, 0)).toBe('203.0.113.7');
  });
});
