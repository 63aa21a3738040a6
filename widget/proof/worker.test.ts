import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const post = vi.fn<(answer: string | null) => void>();
beforeEach(() => vi.stubGlobal('postMessage', post));
afterEach(() => {
  vi.unstubAllGlobals();
  post.mockClear();
});

async function ask(challenge: unknown): Promise<string | null> {
  await import('./worker.ts');
  dispatchEvent(new MessageEvent('message', { data: challenge }));
  await expect.poll(() => post).toHaveBeenCalledOnce();
  return post.mock.calls[0]![0];
}

it('the worker answers a challenge with a payload that the server accepts', async () => {
  const hmacSignatureSecret = 'secret';
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 7,
    deriveKey,
    hmacSignatureSecret,
  });
  const payload = JSON.parse(atob((await ask(challenge))!)) as {
    challenge: typeof challenge;
    solution: never;
  };
  expect(payload.challenge).toEqual(challenge);
  const { solution } = payload;
  expect(await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).toMatchObject({
    verified: true,
  });
});

it('the worker answers null to an invalid challenge', async () => {
  expect(await ask({ parameters: { algorithm: 'unknown', nonce: '', salt: '' } })).toBeNull();
});
