import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Seal } from '../store/seal.ts';

/** The sessions of all open streams, and some more. */
const maxCached = 10_000;

/** A new token of a session. Only its browser stores it. */
export const newToken = () => `s1_${randomBytes(32).toString('base64url')}`;

const isToken = (text: string) => /^s1_[\w-]{43}$/.test(text);

/** Copies a part of a longer ASCII text, so that it does not keep the whole text in memory. */
const copy = (text: string) => Buffer.from(text, 'latin1').toString('latin1');

/** Makes the function that computes the hash under which the store keeps a token. */
export function createTokenHash(seal: Pick<Seal, 'hash'>) {
  const cache = new LRUCache<string, string>({ max: maxCached });
  return function hashOf(token: string): string {
    const known = cache.get(token);
    if (known !== undefined) return known;
    const hash = seal.hash('session token', token);
    // SECURITY: anyone can send a long text in place of a token. It must not fill the memory.
    if (isToken(token)) cache.set(copy(token), hash);
    return hash;
  };
}
