import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';

/** Shared by a test's site and its BFF. */
export const identitySecret = 'an identity secret of 32 bytes or more';

/** What the site's server signs for its customer. `at`: Unix milliseconds. */
export const identityToken = (email: string, audience: string, claims = {}, at = Date.now()) =>
  new SignJWT({ email, email_verified: true, sub: `customer ${email}`, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setIssuedAt(new Date(at))
    .setExpirationTime(new Date(at + 120_000))
    .sign(new TextEncoder().encode(identitySecret));
