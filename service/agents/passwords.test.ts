import { describe, expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

describe('passwords', () => {
  it('are verified by their own hash only, and each hash has its own salt and cost', async () => {
    const [first, second] = [
      await hashPassword('tea-time-4'),
      await hashPassword('tea-time-4', { N: 16, r: 8, p: 1 }),
    ];
    expect(first).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect(second).not.toContain(first.split('$')[4]!);
    expect(await verifyPassword('tea-time-4', first)).toBe(true);
    expect(await verifyPassword('tea-time-4', second)).toBe(true);
    expect(await verifyPassword('tea-time-5', second)).toBe(false);
  });

  it('match in every Unicode composition of their letters', async () => {
    const hash = await hashPassword('caf\u00e9-time', { N: 16, r: 8, p: 1 });
    expect(await verifyPassword('cafe\u0301-time', hash)).toBe(true);
  });

  it('never match without a stored hash', async () => {
    expect(await verifyPassword('', '')).toBe(false);
  });
});
