import { expect, it, vi } from 'vitest';
import { createTokenHash, newToken } from './sessions.ts';

it.each([
  ['a token is computed once', newToken(), 1],
  ['a text that is too long for a token is not cached', 'x'.repeat(16_000), 2],
  ['a text with other letters than a token is not cached', `s1_${'Ł'.repeat(43)}`, 2],
])('the hash of %s', (_, token, computations) => {
  const hash = vi.fn<(purpose: string, text: string) => string>(
    (purpose, text) => `${purpose}: ${text.length}`,
  );
  const hashOf = createTokenHash({ hash });
  expect([hashOf(token), hashOf(token)]).toEqual(Array(2).fill(`session token: ${token.length}`));
  expect(hash).toHaveBeenCalledTimes(computations);
});
