import { isIP } from 'node:net';

/**
 * The key by which one client is counted: an IPv4 address, or the first half of an IPv6 one. `remote` is the socket's
 * address; `hops` is the number of our proxies in front, each of which appends the address that it saw to
 * `X-Forwarded-For`. Entries further left were written by the client, and are ignored.
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
): string {
  const entries = forwardedFor?.split(',') ?? [];
  const entry = hops > 0 ? (entries.at(-hops) ?? entries[0]) : undefined;
  const seen = (entry ?? '')
    .trim()
    .replace(/^\[(.*)\](:\d{1,5})?$/, '$1')
    .replace(/^([\d.]+):\d{1,5}$/, '$1');
  return addressBlock(isIP(seen) ? seen : (remote ?? ''));
}

/** The part of a client address that one party controls: all of IPv4, the /64 of IPv6. */
function addressBlock(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!mapped.includes(':')) return mapped;
  const [head = ''] = mapped.split('%');
  const [left = '', right] = head.split('::');
  const before = left === '' ? [] : left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after]
    .slice(0, 4)
    .join(':');
}
