import { LRUCache } from 'lru-cache';

/**
 * Keeps the entries that were used last, at most `max`. By `LRUCache`'s own `max` it would allocate memory for all of them at
 * once.
 */
export const createCache = <Value extends object | string | number | true>(
  max: number,
  lifetime?: Pick<LRUCache.OptionsTTLLimit<string, Value, unknown>, 'ttl' | 'noUpdateTTL'>,
) => new LRUCache<string, Value>({ maxSize: max, sizeCalculation: () => 1, ...lifetime });
