import { describe, expect, it } from 'vitest';
import { type Attempt, SignInDelay } from './sign-in-delay.ts';

const dayMs = 24 * 3_600_000;
const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  email: 'agent@example.com',
  client: '203.0.113.1',
  knownBrowser: null,
  ...more,
});

/** How many guesses are checked within this time when each is made as soon as it is allowed. */
function guesses(delay: SignInDelay, withinMs: number, next: (n: number) => Attempt): number {
  let nowMs = 0;
  let checked = 0;
  while (nowMs < withinMs) {
    const waitMs = delay.begin(next(checked), nowMs);
    if (waitMs === 0) checked += 1;
    else nowMs += waitMs;
  }
  return checked;
}

describe('guesses at a password', () => {
  it('are limited to about 300 a day from one address', () => {
    expect(guesses(new SignInDelay(), dayMs, () => attempt())).toBeLessThan(320);
  });

  it('are limited to one a minute from one address that tries many agents', () => {
    const next = (n: number) => attempt({ email: `agent-${n}@example.com` });
    expect(guesses(new SignInDelay(), dayMs, next)).toBeLessThan(1_500);
  });

  it('are limited to six a minute for one agent, from any number of addresses', () => {
    const next = (n: number) => attempt({ client: `address ${n}` });
    expect(guesses(new SignInDelay(), dayMs, next)).toBeLessThan(8_800);
  });

  it('are limited to about 300 a day from a browser that the agent has used', () => {
    expect(guesses(new SignInDelay(), dayMs, () => attempt({ knownBrowser: 'b' }))).toBeLessThan(320);
  });

  it('do not become quicker when the attacker signs in to their own account in between', () => {
    const delay = new SignInDelay();
    const self = attempt({ email: 'self@example.com' });
    for (let n = 0; n < 20; n += 1) {
      expect(delay.begin(attempt({ email: `agent-${n}@example.com` }), 0)).toBe(0);
      if (delay.begin(self, 0) === 0) delay.succeed(self);
    }
    expect(delay.begin(attempt({ email: 'agent-20@example.com' }), 0)).toBeGreaterThan(0);
  });
});

it('a correct password clears the typing errors before it, and an hour without errors clears all', () => {
  const delay = new SignInDelay();
  const fail = (nowMs: number) => delay.begin(attempt(), nowMs);
  for (let n = 0; n < 4; n += 1) fail(0);
  expect(fail(0)).toBe(0);
  delay.succeed(attempt());
  for (let n = 0; n < 5; n += 1) expect(fail(0)).toBe(0);
  expect(fail(0)).toBe(1_000);
  for (let n = 0; n < 5; n += 1) expect(fail(3_600_000)).toBe(0);
});

it('a clock that is set back does not make anyone wait longer', () => {
  const delay = new SignInDelay();
  for (let n = 0; n < 5; n += 1) delay.begin(attempt(), dayMs);
  expect(delay.begin(attempt(), 0)).toBe(1_000);
  expect(delay.begin(attempt(), 1_000)).toBe(0);
});

it('failures of any number of keys are kept in bounded memory: the oldest are forgotten', () => {
  const delay = new SignInDelay();
  for (let n = 0; n < 5; n += 1) delay.begin(attempt(), 0);
  expect(delay.begin(attempt(), 0)).toBeGreaterThan(0);
  for (let n = 0; n < 10_000; n += 1)
    delay.begin(attempt({ email: `agent-${n}@example.com`, client: `address ${n}` }), 0);
  expect(delay.begin(attempt(), 0)).toBe(0);
});
