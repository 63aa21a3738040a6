import { createHash, randomBytes } from 'node:crypto';

/** A new bearer secret with 256 random bits behind `prefix`. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** One-way hash under which a secret of `newSecret` is stored: its entropy needs no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
