interface Bucket {
  attempts: number;
  endsAtMs: number;
}

const maxBuckets = 10_000;

/** Counts attempts by key in fixed windows, in memory. */
export class AttemptLimit {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts an attempt; false when the window has no more left. */
  take(key: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(key);
    if (bucket && bucket.endsAtMs > nowMs) {
      bucket.attempts += 1;
      return bucket.attempts <= this.#max;
    }
    if (this.#buckets.size >= maxBuckets) this.#dropEnded(nowMs);
    this.#buckets.set(key, { attempts: 1, endsAtMs: nowMs + this.#windowMs });
    return true;
  }

  /** Gives the attempts of a key back: it has shown that it is no guesser. */
  forget(key: string): void {
    this.#buckets.delete(key);
  }

  #dropEnded(nowMs: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.endsAtMs <= nowMs) this.#buckets.delete(key);
    // Still full: oldest first, so that memory stays bounded whatever comes.
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size < maxBuckets) break;
      this.#buckets.delete(key);
    }
  }
}

/** The part of a client address that one party holds: IPv4 whole, IPv6 its /64. */
export function addressBlock(address: string): string {
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
