import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Counter } from 'prom-client';
import type { Challenge } from 'altcha-lib/types';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Store } from '../store/open.ts';
import type { Seal } from '../store/seal.ts';
import { consumeOnce } from '../store/records/used-once.ts';

const validSec = 300;
/**
 * On average 500 tries of 2,000 rounds, at most 1,000: under a second on a desktop, one to three on a phone. The
 * counter is drawn from the whole range, so that nobody gains by starting elsewhere than an honest browser.
 */
const rounds = 2_000;
const usualMaxTries = 1_000;
const maxHeaderLength = 4_096;

/** Exactly the parameters that `challenge()` issues. A verified signature covers every one of them. */
const parametersShape = z.strictObject({
  algorithm: z.string(),
  cost: z.number(),
  expiresAt: z.number(),
  keyLength: z.number(),
  keyPrefix: z.string(),
  keySignature: z.string(),
  nonce: z.string(),
  salt: z.string(),
});
const payloadShape = z.object({
  challenge: z.object({ parameters: parametersShape, signature: z.string() }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

function parsePayload(headerText: string) {
  if (headerText.length > maxHeaderLength) return null;
  try {
    return payloadShape.safeParse(JSON.parse(Buffer.from(headerText, 'base64').toString())).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Proof of work by ALTCHA (version 2, `PBKDF2/SHA-256`): a browser pays with a second of computing for a request that
 * looks like one of many.
 *
 * `error.challenge` is `{ parameters, signature }`, as `solveChallenge` of `altcha-lib` takes it, with `deriveKey` of
 * `altcha-lib/algorithms/web/pbkdf2` and nothing else set. Its answer `{ counter, derivedKey, time }` goes back in the
 * header `X-Deskside-Proof` as `base64(JSON.stringify({ challenge, solution }))`, the challenge unchanged: standard
 * base64 of UTF-8, about 700 characters.
 */
export function createProof(deps: {
  mode: Config['pow'];
  seal: Seal;
  store: Store;
  results: Pick<Counter<'result'>, 'inc'>;
  now: () => number;
  /** For tests: a small number makes solving take no time. */
  maxTries?: number;
}) {
  const { mode, seal, store, results, now, maxTries = usualMaxTries } = deps;
  const secrets = {
    hmacSignatureSecret: seal.hash('proof of work', 'challenge'),
    hmacKeySignatureSecret: seal.hash('proof of work', 'key'),
  };
  async function isSolved(headerText: string): Promise<boolean> {
    const payload = parsePayload(headerText);
    if (!payload) return false;
    const { challenge, solution } = payload;
    const expiresAt = challenge.parameters.expiresAt * 1_000;
    if (expiresAt <= now()) return false;
    const { verified } = await verifySolution({ ...secrets, challenge, solution, deriveKey });
    if (!verified) return false;
    return consumeOnce(store, 'proof of work', seal.hash('proof of work', challenge.signature), expiresAt);
  }

  return {
    /** Whether a proof is required. `isSuspect`: a limit is near, or the hidden field was filled in. */
    isAsked: (isSuspect: boolean): boolean => mode === 'on' || (mode === 'auto' && isSuspect),

    /** A new challenge, valid for five minutes. Creating it costs one try here. */
    challenge(): Promise<Challenge> {
      results.inc({ result: 'asked' });
      return createChallenge({
        ...secrets,
        algorithm: 'PBKDF2/SHA-256',
        cost: rounds,
        counter: randomInt(1, maxTries + 1),
        deriveKey,
        expiresAt: Math.floor(now() / 1_000) + validSec,
      });
    },

    /** True once for a solved challenge of ours, false without a valid proof. Rejects only when the store fails. */
    async check(headerText: string | undefined): Promise<boolean> {
      if (headerText === undefined) return false;
      const hasPassed = await isSolved(headerText);
      results.inc({ result: hasPassed ? 'passed' : 'failed' });
      return hasPassed;
    },
  };
}

export type Proof = ReturnType<typeof createProof>;
