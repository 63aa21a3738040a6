import { createPublicKey } from 'node:crypto';
import { errors, type JWSAlgorithm, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { maxLength } from '../../../shared/contract/limits.ts';
import { admits } from '../../../shared/contract/origins.ts';
import { AppError, LoggableError } from '../errors.ts';
import type { Identity } from './subjects.ts';
import type { Store } from '../store/open.ts';
import type { Seal } from '../store/seal.ts';
import { consumeOnce } from '../store/records/used-once.ts';
import { readAddress } from './address.ts';
import { attributesIn } from '../text/attributes.ts';
import { composed, cut } from '../text/canonical.ts';
import { createJwks } from './jwks.ts';

export interface IdentityTokens {
  /**
   * Accepts a token once.
   * @throws {AppError} `unauthenticated`, with a cause that contains neither the token nor a claim's value;
   * `upstream_unavailable` when the site's keys cannot be read
   */
  verify(token: string): Promise<Identity>;
}

const maxTokenLength = 4_096;
const maxLifetimeSec = 5 * 60;
const leewaySec = 60;

const refusal = (reason: string) => new AppError('unauthenticated', { cause: new LoggableError(reason) });

/**
 * Errors of jose contain the payload and quote it in their causes, and messages may quote the header. Messages about
 * claims only name the claim.
 */
function asRefusal(error: unknown): AppError {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
    return refusal(`${error.code}: ${error.message}`);
  return refusal(error instanceof errors.JOSEError ? error.code : 'no key for this token');
}

/** Base64 ignores some bits of the last character, so several texts could mean the same signature. */
const isCanonical = (base64url: string) =>
  Buffer.from(base64url, 'base64url').toString('base64url') === base64url;

const id = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes('\0'));

const claimsSchema = (audience: string, allowedIssuers: string[]) =>
  z
    .object({
      // One of several audiences could send the token on to us.
      aud: z.union([z.literal(audience), z.tuple([z.literal(audience)])]),
      iss: z
        .string()
        .refine((issuer) => admits(allowedIssuers, issuer))
        .optional(),
      iat: z.number(),
      exp: z.number(),
      jti: id(200),
      sub: id(255),
      email: z.string().transform(readAddress).pipe(z.string()),
      email_verified: z.unknown().optional(),
      name: z.string().nullish(),
      attributes: z.unknown().optional(),
      // A site may have customers without an organisation, and must not lock them out.
      org: id(200).nullable().catch(null),
      org_tickets: z.unknown().optional(),
    })
    .refine(({ iat, exp }) => exp - iat <= maxLifetimeSec, { path: ['exp'] });

/** Null when no character of the name can be shown. */
function displayName(name: string): string | null {
  const shown = composed(name.toWellFormed())
    .replace(/[\p{Cc}\u2028\u2029]/gu, '')
    .trim();
  return cut(shown, maxLength.customer_name).trim() || null;
}

/** How the site signs its tokens; at most one is set. */
interface KeyOptions {
  /** At least 32 bytes. */
  secret: string | undefined;
  /** PEM, P-256 or Ed25519. */
  publicKey: string | undefined;
  jwksUrl: string | undefined;
}

/** SECURITY: only the configuration decides on the algorithms, never a token's header. */
interface TokenKeys {
  algorithms: JWSAlgorithm[];
  find: JWTVerifyGetKey;
}

/** Null when no key is configured. */
function createTokenKeys(options: KeyOptions, elapsed: () => number): TokenKeys | null {
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

/**
 * Checks the tokens that the site's server signs. Null when no key is configured.
 * @param options.allowedIssuers the allowed values of `iss`, where a token has one
 * @param options.onLeftOut called with the number of attributes of an accepted token that cannot be shown, if there are any
 * @param options.onOddOrg called when an accepted token has an `org` or `org_tickets` that cannot be read
 * @param options.now Unix milliseconds
 * @param options.elapsed milliseconds of a monotonic clock
 */
export function createIdentityTokens(
  options: KeyOptions & {
    audience: string;
    allowedIssuers: string[];
    store: Store;
    seal: Seal;
    onLeftOut?: (count: number) => void;
    onOddOrg?: () => void;
    now: () => number;
    elapsed: () => number;
  },
): IdentityTokens | null {
  const { audience, allowedIssuers, store, seal, onLeftOut, onOddOrg, now, elapsed } = options;
  const keys = createTokenKeys(options, elapsed);
  if (!keys) return null;
  const claims = claimsSchema(audience, allowedIssuers);

  async function readPayload(token: string) {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys!.find, {
        algorithms: keys!.algorithms,
        currentDate: new Date(now()),
        clockTolerance: leewaySec,
        maxTokenAge: maxLifetimeSec,
      });
      // RFC 7515, 4.1.11: we support no extension. The library always accepts `b64`.
      if ('crit' in protectedHeader || 'b64' in protectedHeader) throw refusal('header: crit');
      return payload;
    } catch (error) {
      throw error instanceof AppError ? error : asRefusal(error);
    }
  }

  return {
    async verify(token) {
      if (token.length > maxTokenLength) throw refusal('too long');
      if (!isCanonical(token.slice(token.lastIndexOf('.') + 1))) throw refusal('signature not canonical');
      const payload = await readPayload(token);
      const parsed = claims.safeParse(payload);
      if (!parsed.success)
        throw refusal(`claims: ${parsed.error.issues.map(({ path }) => String(path[0])).join(', ')}`);
      const { sub, jti, exp, email, email_verified, name, org, org_tickets, iat } = parsed.data;
      const hash = seal.hash('identity token', JSON.stringify([sub, jti]));
      const forgetAt = (Math.ceil(exp) + leewaySec) * 1000;
      if (!(await consumeOnce(store, 'identity token', hash, forgetAt))) throw refusal('used before');
      const { attributes, leftOut } = attributesIn(parsed.data.attributes);
      if (leftOut > 0) onLeftOut?.(leftOut);
      // An empty `org` means none.
      if ((payload['org'] && org === null) || typeof (org_tickets ?? false) !== 'boolean') onOddOrg?.();
      return {
        sub,
        email,
        emailVerified: email_verified === true,
        name: name ? displayName(name) : null,
        ...(attributes && { attributes }),
        org,
        seesOrg: org !== null && org_tickets === true,
        issuedAt: iat,
      };
    },
  };
}
