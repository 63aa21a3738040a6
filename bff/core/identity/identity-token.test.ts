import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { serve } from '../../../scripts/serve.ts';
import { makeToken, seal, signers, storeWith } from '../../testing/identity-tokens.ts';
import { createIdentityTokens, type IdentityTokens } from './identity-token.ts';

const audience = 'https://support.example.com';
const secret = 'a shared secret of more than thirty-two bytes';
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const stranger = {
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ed: generateKeyPairSync('ed25519'),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

const start = Date.UTC(2026, 0, 1, 12);
const startSec = start / 1000;
let clock = start;

const goodClaims = {
  aud: audience,
  iss: 'https://www.example.com',
  iat: startSec,
  exp: startSec + 300,
  jti: 'token-1',
  sub: 'customer-1',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada',
};
const without = (claim: keyof typeof goodClaims) =>
  Object.fromEntries(Object.entries(goodClaims).filter(([name]) => name !== claim));

const jwk = (key: KeyObject, more: object) => ({
  ...createPublicKey(key).export({ format: 'jwk' }),
  ...more,
});
const pem = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();

let site: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  const keys = [
    jwk(ec.privateKey, { kid: 'ec-1' }),
    jwk(ed.privateKey, { kid: 'ed-1' }),
    jwk(stranger.rsa.privateKey, { kid: 'rsa-1' }),
    { kty: 'oct', k: Buffer.from(secret).toString('base64url'), kid: 'oct-1' },
  ];
  site = await serve((_, response) => response.end(JSON.stringify({ keys })));
});
afterAll(() => site.stop());

const none = { secret: undefined, publicKey: undefined, jwksUrl: undefined };
const methods = {
  secret: {
    keys: () => ({ ...none, secret }),
    header: { alg: 'HS256' },
    signer: signers.hmac(secret),
    stranger: signers.hmac(`${secret}!`),
  },
  'P-256 key': {
    keys: () => ({ ...none, publicKey: pem(ec.privateKey) }),
    header: { alg: 'ES256' },
    signer: signers.es256(ec.privateKey),
    stranger: signers.es256(stranger.ec.privateKey),
  },
  'Ed25519 key': {
    keys: () => ({ ...none, publicKey: pem(ed.privateKey) }),
    header: { alg: 'EdDSA' },
    signer: signers.eddsa(ed.privateKey),
    stranger: signers.eddsa(stranger.ed.privateKey),
  },
  'key set, P-256': {
    keys: () => ({ ...none, jwksUrl: site.url }),
    header: { alg: 'ES256', kid: 'ec-1' },
    signer: signers.es256(ec.privateKey),
    stranger: signers.es256(stranger.ec.privateKey),
  },
  'key set, Ed25519': {
    keys: () => ({ ...none, jwksUrl: site.url }),
    header: { alg: 'EdDSA', kid: 'ed-1' },
    signer: signers.eddsa(ed.privateKey),
    stranger: signers.eddsa(stranger.ed.privateKey),
  },
};
type Method = (typeof methods)[keyof typeof methods];

async function tokensOf(method: Pick<Method, 'keys'>): Promise<IdentityTokens> {
  clock = start;
  const allowedIssuers = ['https://www.example.com', 'https://*.shop.example.com'];
  const options = {
    audience,
    allowedIssuers,
    store: await storeWith(),
    seal,
    now: () => clock,
    elapsed: () => clock,
  };
  return createIdentityTokens({ ...method.keys(), ...options })!;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Changes the last bit of the last character, which has no meaning in signatures of 32 and of 64 bytes. */
const respelt = (token: string) => token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) ^ 1]!;

/** Why a token was refused; 'accepted' when it was not. */
async function outcome(tokens: IdentityTokens, token: string): Promise<string> {
  try {
    await tokens.verify(token);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
    return (error.cause as Error).message;
  }
}

it('sign-in by token is not offered without a key', async () => {
  const options = {
    audience,
    allowedIssuers: [],
    store: await storeWith(),
    seal,
    now: () => clock,
    elapsed: () => clock,
  };
  expect(createIdentityTokens({ ...none, ...options })).toBeNull();
});

describe.each(Object.entries(methods))('by %s', (_, method) => {
  let tokens: IdentityTokens;
  beforeEach(async () => {
    tokens = await tokensOf(method);
  });
  const signed = (claims: object, header: object = method.header) => makeToken(header, claims, method.signer);

  it('a good token identifies the customer, once', async () => {
    const token = signed(goodClaims);
    await expect(tokens.verify(token)).resolves.toEqual({
      sub: 'customer-1',
      email: 'ada@example.com',
      emailVerified: true,
      name: 'Ada',
      org: null,
      seesOrg: false,
      issuedAt: goodClaims.iat,
    });
    expect(await outcome(tokens, token)).toBe('used before');
  });

  it('one token used twice at once is accepted once [identity-6]', async () => {
    const token = signed(goodClaims);
    const outcomes = await Promise.all([outcome(tokens, token), outcome(tokens, token)]);
    expect(outcomes.toSorted()).toEqual(['accepted', 'used before']);
  });

  it('a token with any character changed is refused, and does not use up the original [identity-2]', async () => {
    const token = signed(goodClaims);
    const passed: string[] = [];
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const mutated = token.slice(0, at) + other + token.slice(at + 1);
      if ((await outcome(tokens, mutated)) === 'accepted') passed.push(mutated);
    }
    expect(passed).toEqual([]);
    expect(await outcome(tokens, token)).toBe('accepted');
  });

  it.each<[string, () => string, RegExp]>([
    [
      'signed by another key',
      () => makeToken(method.header, goodClaims, method.stranger),
      /SIGNATURE_VERIFICATION/,
    ],
    ['unsigned', () => makeToken({ ...method.header, alg: 'none' }, goodClaims, signers.none), /ALG_NOT_ALL/],
    [
      'of alg None',
      () => makeToken({ ...method.header, alg: 'None' }, goodClaims, signers.none),
      /ALG_NOT_ALL/,
    ],
    ['with its signature cut off', () => signed(goodClaims).replace(/[^.]+$/, ''), /./],
    [
      'signed with the public key as an HMAC secret',
      () => makeToken({ ...method.header, alg: 'HS256' }, goodClaims, signers.hmac(pem(ec.privateKey))),
      /ALG_NOT_ALL|SIGNATURE_VERIFICATION/,
    ],
    [
      'signed with RSA',
      () =>
        makeToken(
          { ...method.header, alg: 'RS256', kid: 'rsa-1' },
          goodClaims,
          signers.rs256(stranger.rsa.privateKey),
        ),
      /ALG_NOT_ALL/,
    ],
    [
      'that brings its own key',
      () =>
        makeToken(
          { ...method.header, jwk: jwk(stranger.ec.privateKey, {}), jku: site.url, x5c: ['AA=='] },
          goodClaims,
          method.stranger,
        ),
      /SIGNATURE_VERIFICATION/,
    ],
    ['with a critical header', () => signed(goodClaims, { ...method.header, crit: ['b64'] }), /ERR_/],
    [
      'with an unknown critical header',
      () => signed(goodClaims, { ...method.header, crit: ['x'], x: 1 }),
      /ERR_/,
    ],
    [
      'with a critical header that changes nothing',
      () => signed(goodClaims, { ...method.header, crit: ['b64'], b64: true }),
      /header: crit/,
    ],
    [
      'whose payload says that it is not encoded',
      () => signed(goodClaims, { ...method.header, b64: false }),
      /header: crit/,
    ],
    [
      'with an unknown critical header beside a known one',
      () => signed(goodClaims, { ...method.header, crit: ['b64', 'x'], b64: true, x: 1 }),
      /ERR_/,
    ],
    [
      'with an empty list of critical headers',
      () => signed(goodClaims, { ...method.header, crit: [] }),
      /ERR_/,
    ],
    ['in five parts, as encrypted ones are', () => `${signed(goodClaims)}.AAAA.AAAA`, /ERR_JWS_INVALID/],
    ['of no parts', () => 'tokenAAA', /ERR_JWS_INVALID/],
    ['that is empty', () => '', /ERR_JWS_INVALID/],
    ['whose signature is spelt in another way', () => respelt(signed(goodClaims)), /canonical/],
    ['with a space behind it', () => `${signed(goodClaims)} `, /canonical/],
    ['of more than 4,096 characters', () => signed({ ...goodClaims, more: 'x'.repeat(4_000) }), /too long/],
  ])('a token %s is refused [identity-1]', async (_name, token, reason) => {
    expect(await outcome(tokens, token())).toMatch(reason);
  });
});

describe('the key set', () => {
  it.each<[string, object, RegExp]>([
    ['no kid', { alg: 'ES256' }, /NO_MATCHING_KEY/],
    ['an unknown kid', { alg: 'ES256', kid: 'ec-2' }, /NO_MATCHING_KEY/],
    ['a kid that is no text', { alg: 'ES256', kid: 7 }, /ERR_|NO_MATCHING_KEY/],
    ['the kid of a key of another kind', { alg: 'ES256', kid: 'ed-1' }, /NO_MATCHING_KEY/],
  ])('a token with %s is refused', async (_, header, reason) => {
    const tokens = await tokensOf(methods['key set, P-256']);
    const token = makeToken(header, goodClaims, signers.es256(ec.privateKey));
    expect(await outcome(tokens, token)).toMatch(reason);
  });

  it('a shared secret in the set is never used as a key [identity-3]', async () => {
    const tokens = await tokensOf(methods['key set, P-256']);
    const token = makeToken({ alg: 'HS256', kid: 'oct-1' }, goodClaims, signers.hmac(secret));
    expect(await outcome(tokens, token)).toMatch(/ALG_NOT_ALL/);
  });
});

describe('the claims of a token', () => {
  const method = methods.secret;
  const signed = (claims: object) => makeToken(method.header, claims, method.signer);
  const verdict = async (claims: object) => outcome(await tokensOf(method), signed(claims));

  it.each(['aud', 'iat', 'exp', 'jti', 'sub', 'email'] as const)(
    'without %s are refused [identity-4]',
    async (claim) => {
      expect(await verdict(without(claim))).toContain(claim);
    },
  );

  it.each<[string, unknown, string]>([
    ['aud', 'https://other.example.com', 'claims: aud'],
    ['aud', [audience, 'https://other.example.com'], 'claims: aud'],
    ['aud', [], 'claims: aud'],
    ['aud', [[audience]], 'claims: aud'],
    ['aud', { 0: audience }, 'claims: aud'],
    ['iss', 'https://evil.example', 'claims: iss'],
    ['iss', 'https://evil.example/.shop.example.com', 'claims: iss'],
    ['iss', 'https://www.example.com/', 'claims: iss'],
    ['iss', null, 'claims: iss'],
    ['iss', '', 'claims: iss'],
    ['exp', String(startSec + 60), 'exp'],
    ['exp', null, 'exp'],
    ['exp', startSec + 301, 'claims: exp'],
    ['exp', startSec + 1e9, 'claims: exp'],
    ['iat', String(startSec), 'iat'],
    ['iat', null, 'iat'],
    ['iat', startSec + 61, 'iat'],
    ['iat', startSec - 361, 'iat'],
    ['nbf', startSec + 61, 'nbf'],
    ['nbf', 'now', 'nbf'],
    ['jti', '', 'claims: jti'],
    ['jti', 'x'.repeat(201), 'claims: jti'],
    ['jti', 1, 'claims: jti'],
    ['jti', '\ud800', 'claims: jti'],
    ['sub', '', 'claims: sub'],
    ['sub', 'x'.repeat(256), 'claims: sub'],
    ['sub', 1, 'claims: sub'],
    ['sub', ['customer-1'], 'claims: sub'],
    ['sub', { toString: 'customer-1' }, 'claims: sub'],
    ['sub', 'customer\0', 'claims: sub'],
    ['email', '', 'claims: email'],
    ['email', 'ada', 'claims: email'],
    ['email', 'ada@example.com\r\nBcc: eve@example.com', 'claims: email'],
    ['email', ['ada@example.com'], 'claims: email'],
    ['email', `${'x'.repeat(244)}@example.com`, 'claims: email'],
    ['name', 7, 'claims: name'],
    ['name', { first: 'Ada' }, 'claims: name'],
  ])('with %s of %j are refused [identity-5]', async (claim, value, reason) => {
    expect(await verdict({ ...goodClaims, [claim]: value })).toContain(reason);
  });

  it.each<[string, unknown]>([
    ['aud', [audience]],
    ['iss', 'https://de.shop.example.com'],
    ['iat', startSec + 60],
    ['nbf', startSec + 60],
    ['jti', 'x'.repeat(200)],
    ['sub', 'x'.repeat(255)],
    ['email', `${'x'.repeat(243)}@example.com`],
    ['name', null],
  ])('with %s of %j are accepted', async (claim, value) => {
    expect(await verdict({ ...goodClaims, [claim]: value })).toBe('accepted');
  });

  it.each([['iss'], ['name'], ['email_verified']] as const)('can leave out %s', async (claim) => {
    expect(await verdict(without(claim))).toBe('accepted');
  });

  it.each([[false], ['true'], [1], [[true]], [{}], [null]])(
    'with email_verified of %j prove no address',
    async (value) => {
      const tokens = await tokensOf(method);
      const identity = await tokens.verify(signed({ ...goodClaims, email_verified: value }));
      expect(identity.emailVerified).toBe(false);
    },
  );

  it.each([
    ['of several lines', '  Ada\r\nBcc: eve@example.com\u0000 ', 'AdaBcc: eve@example.com'],
    ['of more than 120 characters', '🦊'.repeat(130), '🦊'.repeat(60)],
    ['of control characters', '\t\n', null],
    ['that is empty', '', null],
  ])('with a name %s give a name of one line that fits', async (_, name, shown) => {
    const tokens = await tokensOf(method);
    expect((await tokens.verify(signed({ ...goodClaims, name }))).name).toBe(shown);
  });

  it('have sixty seconds of leeway after exp, and no more', async () => {
    const tokens = await tokensOf(method);
    clock = start + 359_000;
    expect(await outcome(tokens, signed(goodClaims))).toBe('accepted');
    clock = start + 360_000;
    expect(await outcome(tokens, signed({ ...goodClaims, jti: 'token-2' }))).toContain('ERR_JWT_EXPIRED');
  });

  it('with the same jti for another customer are another token', async () => {
    const tokens = await tokensOf(method);
    expect(await outcome(tokens, signed(goodClaims))).toBe('accepted');
    expect(await outcome(tokens, signed({ ...goodClaims, sub: 'customer-2' }))).toBe('accepted');
  });

  it('of a refused token do not use it up, and the record of a used one outlives it', async () => {
    const store = await storeWith();
    const options = { audience, allowedIssuers: [], store, seal, now: () => clock, elapsed: () => clock };
    const tokens = createIdentityTokens({ ...method.keys(), ...options })!;
    expect(await outcome(tokens, signed(goodClaims))).toContain('claims: iss');
    expect(await store.selectFrom('used_once').selectAll().execute()).toEqual([]);
    await tokens.verify(signed({ ...without('iss'), exp: startSec + 299.5 }));
    const [mark] = await store.selectFrom('used_once').selectAll().execute();
    expect(mark).toMatchObject({ purpose: 'identity token', expires_at: start + 360_000 });
    expect(mark!.hash).not.toContain('customer-1');
  });
});

it('are in no refusal, nor is the token [storage-10]', async () => {
  const tokens = await tokensOf(methods.secret);
  const { header, signer } = methods.secret;
  const broken = makeToken(header, goodClaims, signer).split('.');
  broken[1] = Buffer.from('{"email":"ada@example.com",').toString('base64url');
  const [head, payload] = broken as [string, string];
  broken[2] = signer(Buffer.from(`${head}.${payload}`)).toString('base64url');
  const expired = makeToken(header, { ...goodClaims, exp: startSec - 3600 }, signer);
  for (const token of [broken.join('.'), expired]) {
    const error = await tokens.verify(token).catch((thrown: unknown) => thrown);
    const { cause } = error as Error;
    const told = JSON.stringify([
      String(error),
      String(cause),
      Object.entries(cause as Error),
      (cause as Error).cause,
    ]);
    expect(told).toMatch(/ERR_JWT/);
    expect(told).not.toMatch(/ada@|eyJ/);
  }
});
