import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';

export const identitySecret = 'an identity secret of 32 bytes or more';

/** Settings of a BFF that takes the tokens of `identityToken`. */
export const withIdentity = {
  identity: {
    secret: identitySecret,
    publicKey: undefined,
    jwksUrl: undefined,
    audience: 'https://support.test',
  },
};

/** What the site's server would sign for a customer. */
export function identityToken(email: string, claims: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({ email, email_verified: true, sub: `user of ${email}`, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('https://support.test')
    .setIssuedAt()
    .setExpirationTime('2m')
    .sign(new TextEncoder().encode(identitySecret));
}
