import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge, Solution } from 'altcha-lib/types';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics/metrics.ts';
import type { Store } from '../store/open.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { createSeal } from '../store/seal.ts';
import { createProof } from './proof.ts';

const seal = createSeal('a secret of more than thirty-two characters');
const pack = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');

/** Solves a challenge as the browser does. */
async function solve(challenge: Challenge): Promise<{ challenge: Challenge; solution: Solution }> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return { challenge, solution: solution! };
}

describe('a proof of work', () => {
  let store: Store;
  let time = Date.now();
  const results = createMetrics().proofs;
  const deps = { mode: 'auto', seal, results, now: () => time, maxTries: 5 } as const;
  const start = async () => {
    store = await openTestStore();
    return createProof({ ...deps, store });
  };
  afterEach(() => store?.destroy());

  it('is accepted once, also across a restart under the same key [overload-10]', async () => {
    const proof = await start();
    const header = pack(await solve(await proof.challenge()));
    const afterRestart = createProof({ ...deps, store });
    expect(await afterRestart.check(header)).toBe(true);
    expect(await proof.check(header)).toBe(false);
    expect(await afterRestart.check(header)).toBe(false);
  });

  it('is accepted once however many times it comes at the same moment', async () => {
    const proof = await start();
    const header = pack(await solve(await proof.challenge()));
    const answers = await Promise.all(Array.from({ length: 10 }, () => proof.check(header)));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  it('is valid for five minutes', async () => {
    const proof = await start();
    const solved = await Promise.all([solve(await proof.challenge()), solve(await proof.challenge())]);
    time += 298_000;
    expect(await proof.check(pack(solved[0]))).toBe(true);
    time += 2_000;
    expect(await proof.check(pack(solved[1]))).toBe(false);
  });

  it('must be the answer to an unchanged challenge of ours [overload-11]', async () => {
    const proof = await start();
    const { challenge, solution } = await solve(await proof.challenge());
    const other = await solve(await proof.challenge());
    const foreignSeal = createSeal('another secret, as long as it has to be');
    const foreign = createProof({ ...deps, store, seal: foreignSeal });
    const easy = { ...challenge.parameters, keyPrefix: '00', cost: 1 };
    const later = { ...challenge.parameters, expiresAt: challenge.parameters.expiresAt! + 1 };
    const forged: unknown[] = [
      await solve(await foreign.challenge()),
      { challenge, solution: other.solution },
      { challenge: { ...challenge, signature: other.challenge.signature }, solution },
      { challenge: { ...challenge, parameters: other.challenge.parameters }, solution },
      { challenge: { ...challenge, parameters: easy }, solution },
      { challenge: { ...challenge, parameters: later }, solution },
      { challenge: { ...challenge, parameters: { ...challenge.parameters, data: { a: 1 } } }, solution },
      { challenge: { parameters: challenge.parameters }, solution },
      { challenge, solution: { ...solution, derivedKey: challenge.parameters.keyPrefix } },
      { challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } },
      { challenge, solution: { ...solution, counter: -1 } },
      { challenge },
    ];
    for (const payload of forged) expect(await proof.check(pack(payload))).toBe(false);
    expect(await proof.check(pack({ challenge, solution }))).toBe(true);
  });

  it('is refused without an error when it is garbage', async () => {
    const proof = await start();
    const good = pack(await solve(await proof.challenge()));
    const garbage = [
      '',
      'x',
      '[]',
      'null',
      '€',
      good.slice(0, -40),
      pack(null),
      pack([]),
      pack({ challenge: 1 }),
    ];
    const deep = Buffer.from('['.repeat(2_000)).toString('base64');
    for (const text of [...garbage, deep, good + 'A'.repeat(4_096)])
      expect(await proof.check(text)).toBe(false);
    expect(await proof.check(good)).toBe(true);
  });

  it('is required as the operator says', async () => {
    await start();
    const asked = (['off', 'auto', 'on'] as const).map((mode) => {
      const proof = createProof({ ...deps, store, mode });
      return [proof.isAsked(false), proof.isAsked(true)];
    });
    expect(asked).toEqual([
      [false, false],
      [false, true],
      [true, true],
    ]);
  });

  it('fits into a header, and is different each time', async () => {
    const proof = createProof({ ...deps, store: (store = await openTestStore()), maxTries: 1 });
    const [one, two] = [await solve(await proof.challenge()), await solve(await proof.challenge())];
    expect(one.challenge.parameters.nonce).not.toBe(two.challenge.parameters.nonce);
    expect(one.solution.counter).toBe(1);
    expect(pack(one).length).toBeLessThan(1_000);
  });
});
