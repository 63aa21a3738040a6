import { createCache } from '../../core/cache.ts';

/*
 * How many bytes may arrive within a day, from all customers together, so that nobody can fill the store, and from one
 * address, so that nobody can use up what all have. It counts for
 * the last 24 hours, and reads the store once a minute, since other instances take files, too.
 */

const dayMs = 86_400_000;
const readMs = 60_000;
/** Of an address, as a part of what all may send. */
const share = 1 / 5;
const maxAddresses = 10_000;

export function createDaily({
  maxBytes,
  bytesSince,
  now,
  onFull,
}: {
  maxBytes: number;
  bytesSince: (since: number) => Promise<number>;
  now: () => number;
  /** Called once for each time that the limit is reached. */
  onFull: () => void;
}) {
  let used = 0;
  let readAt = -Infinity;
  let wasFull = false;
  const byAddress = createCache<number>(maxAddresses, { ttl: dayMs, noUpdateTTL: true });

  return {
    /** Whether one more file may come. */
    async hasRoom(): Promise<boolean> {
      if (Math.abs(now() - readAt) >= readMs) {
        readAt = now();
        used = await bytesSince(now() - dayMs);
      }
      const isFull = used >= maxBytes;
      if (isFull && !wasFull) onFull();
      wasFull = isFull;
      return !isFull;
    },
    hasRoomFor: (address: string): boolean => (byAddress.get(address) ?? 0) < share * maxBytes,

    add(bytes: number, address: string): void {
      used += bytes;
      byAddress.set(address, (byAddress.get(address) ?? 0) + bytes);
    },
  };
}
