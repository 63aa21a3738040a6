import { timingSafeEqual } from 'node:crypto';

const bytesOf = (value: string | Buffer) => (typeof value === 'string' ? Buffer.from(value) : value);

/** SECURITY: the time that it takes tells the length of a secret, and nothing of where a guess is wrong. */
export function isEqual(left: string | Buffer, right: string | Buffer): boolean {
  const [a, b] = [bytesOf(left), bytesOf(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
