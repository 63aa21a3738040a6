import { createCipheriv, createDecipheriv, createHmac, type Hmac, hkdfSync } from 'node:crypto';
import { random } from 'nanoid';
import { createCache } from '../cache.ts';
import type { SealedColumns } from './schema.ts';

/** Encrypts what the store has of customers, and hashes what is only compared, such as tokens. */
export interface Seal {
  /** Encrypts a value for one column. `place` must be the same for opening. */
  seal<Place extends keyof SealedColumns>(place: Place, value: SealedColumns[Place]): string;
  /** Null when the text was not sealed for this place under this key. */
  open<Place extends keyof SealedColumns>(place: Place, sealed: string): SealedColumns[Place] | null;
  /** Keyed hash, base64url: equal texts of one purpose give equal hashes. */
  hash(purpose: string, text: string): string;
  /** The same for bytes, to be updated with them. */
  hmac(purpose: string): Hmac;
}

const version = 'v1.';
const nonceBytes = 12;
const tagBytes = 16;
/** The length of a prefix that is unique for each sealed text. */
const nonceEnd = version.length + (nonceBytes * 4) / 3;

/** AES-256-GCM and HMAC-SHA-256 under keys derived from the secret (HKDF), one for each use. */
export function createSeal(secretKey: string): Seal {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `deskside ${use} v1`, 32));
  const sealKey = derive('seal');
  const hashKey = derive('hash');
  const hmac = (purpose: string) => createHmac('sha256', hashKey).update(`${purpose}\0`);
  return {
    seal(place, value) {
      // From Node's secure generator. The bytes are part of a buffer that is filled again later.
      const nonce = random(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(place));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
      return version + Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open(place, sealed) {
      if (!sealed.startsWith(version)) return null;
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return null;
      try {
        const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, nonceBytes))
          .setAAD(Buffer.from(place))
          .setAuthTag(bytes.subarray(-tagBytes));
        const plain = Buffer.concat([
          decipher.update(bytes.subarray(nonceBytes, -tagBytes)),
          decipher.final(),
        ]);
        return JSON.parse(plain.toString('utf8'));
      } catch {
        return null;
      }
    },
    hash: (purpose, text) => hmac(purpose).update(text).digest('base64url'),
    hmac,
  };
}

/**
 * Opens the texts of one place, and caches the newest `max` values, which callers must not change. Null for texts
 * that cannot be opened. These are not cached.
 */
export function openOnce<Place extends keyof SealedColumns>(
  seal: Pick<Seal, 'open'>,
  place: Place,
  max: number,
): (sealed: string) => Readonly<SealedColumns[Place]> | null {
  const opened = createCache<{ sealed: string; value: SealedColumns[Place] }>(max);
  return (sealed) => {
    // The prefix has the nonce, so it is unique among intact texts. Using the whole text as the key would take longer
    // than everything else here.
    const nonce = sealed.slice(0, nonceEnd);
    const known = opened.get(nonce);
    if (known?.sealed === sealed) return known.value;
    const value = seal.open(place, sealed);
    if (value !== null) opened.set(nonce, { sealed, value });
    return value;
  };
}
