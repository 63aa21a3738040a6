import { createPublicKey } from 'node:crypto';
import type { JWSAlgorithm, JWTVerifyGetKey } from 'jose';
import { createJwks } from './jwks.ts';

/** How the site signs its tokens; at most one is set. */
export interface KeyOptions {
  /** At least 32 bytes. */
  secret: string | undefined;
  /** PEM, P-256 or Ed25519. */
  publicKey: string | undefined;
  jwksUrl: string | undefined;
}

/** SECURITY: only the configuration decides on the algorithms, never a token's header. */
export interface TokenKeys {
  algorithms: JWSAlgorithm[];
  find: JWTVerifyGetKey;
}

/** Null when no key is configured. */
export function createTokenKeys(options: KeyOptions, elapsed: () => number): TokenKeys | null {
  if (options.secret) {
    const key = new TextEncoder().encode(options.secret);
    return { algorithms: ['HS256'], find: async () => key };
  }
  if (options.publicKey) {
    const key = createPublicKey(options.publicKey);
    const algorithm = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';
    return { algorithms: [algorithm], find: async () => key };
  }
  if (options.jwksUrl)
    return { algorithms: ['ES256', 'EdDSA'], find: createJwks({ url: options.jwksUrl, elapsed }) };
  return null;
}
