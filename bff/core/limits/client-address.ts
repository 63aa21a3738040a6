import { isIP, isIPv4 } from 'node:net';

/**
 * The address in `1.2.3.4`, `1.2.3.4:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`; null for anything
 * else.
 */
function parseAddress(entry: string): string | null {
  if (isIPv4(entry)) return entry;
  const bare =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(entry)?.[1] ?? entry;
  const address = bare.split('%', 1)[0]!;
  return isIP(address) ? address : null;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

/** An IPv6 customer has a whole /64. An IPv4 client may appear with an IPv6 address. */
function bucketOf(address: string): string {
  if (isIPv4(address)) return address;
  const groups = groupsOf(address);
  if (!/^(0,){5}ffff,/.test(groups.join())) return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]);
  return bytes.join('.');
}

/**
 * The key by which a client is counted: an IPv4 address, or an IPv6 network `….::/64`. `remote` is the socket's
 * address. `hops` is the number of our own proxies, each of which appends the address it saw to `X-Forwarded-For`.
 * Entries further left were written by the client and are ignored.
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | undefined,
  hops: number,
): string {
  const entries = forwardedFor?.split(',').map((entry) => entry.trim()) ?? [];
  const entry = hops > 0 ? (entries.at(-hops) ?? entries[0]) : undefined;
  const address = parseAddress(entry ?? '') ?? parseAddress(remote ?? '');
  return address ? bucketOf(address) : 'unknown';
}
