import { beforeEach, describe, expect, it } from 'vitest';
import { createCodes } from './codes.ts';
import { seal, storeWith } from '../../testing/identity-tokens.ts';

const email = 'ada@example.com';
let now = 0;
let store: Awaited<ReturnType<typeof storeWith>>;
let codes: ReturnType<typeof createCodes>;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  store = await storeWith('a', 'b');
  codes = createCodes({ store, seal, now: () => now });
});

/** A code that differs from `code`. */
const wrong = (code: string) => code.replace(/.$/, (digit) => String((Number(digit) + 1) % 10));

describe('a code', () => {
  it('is six digits, and proves the address that it was made for, once', async () => {
    const code = await codes.make('a', email);
    expect(code).toMatch(/^\d{6}$/);
    expect(await codes.check('a', code)).toBe(email);
    expect(await codes.check('a', code)).toBeNull();
  });

  it('is not valid in another session', async () => {
    const code = await codes.make('a', email);
    await codes.make('b', 'eve@example.com');
    expect(await codes.check('b', code)).toBeNull();
    expect(await codes.check('a', code)).toBe(email);
  });

  it('is bound to its session in the store, too', async () => {
    const code = await codes.make('a', email);
    await codes.make('b', 'eve@example.com');
    const { code_hash } = await store
      .selectFrom('codes')
      .select('code_hash')
      .where('session_id', '=', 'a')
      .executeTakeFirstOrThrow();
    await store.updateTable('codes').set({ code_hash }).where('session_id', '=', 'b').execute();
    expect(await codes.check('b', code)).toBeNull();
  });

  it('is refused for a session without a code', async () => {
    expect(await codes.check('a', '123456')).toBeNull();
  });

  it('ends after ten minutes', async () => {
    const early = await codes.make('a', email);
    now += 600_000 - 1;
    expect(await codes.check('a', early)).toBe(email);
    const late = await codes.make('a', email);
    now += 600_000;
    expect(await codes.check('a', late)).toBeNull();
  });

  it('ends when the session asks for another one', async () => {
    const former = await codes.make('a', email);
    let code = await codes.make('a', 'new@example.com');
    if (code === former) code = await codes.make('a', 'new@example.com');
    expect(await codes.check('a', former)).toBeNull();
    expect(await codes.check('a', code)).toBe('new@example.com');
  });

  it('is accepted at the fifth try', async () => {
    const code = await codes.make('a', email);
    for (let tries = 0; tries < 4; tries += 1) expect(await codes.check('a', wrong(code))).toBeNull();
    expect(await codes.check('a', code)).toBe(email);
  });

  it('is refused at the sixth try', async () => {
    const code = await codes.make('a', email);
    for (let tries = 0; tries < 5; tries += 1) expect(await codes.check('a', wrong(code))).toBeNull();
    expect(await codes.check('a', code)).toBeNull();
  });

  it('gets no sixth try from tries at the same time [identity-42]', async () => {
    const code = await codes.make('a', email);
    const tries = Array.from({ length: 12 }, () => codes.check('a', wrong(code)));
    expect(await Promise.all(tries)).toEqual(Array(12).fill(null));
    expect(await store.selectFrom('codes').select('tries').executeTakeFirst()).toEqual({ tries: 5 });
    expect(await codes.check('a', code)).toBeNull();
  });

  it('entered twice at once is accepted once', async () => {
    const code = await codes.make('a', email);
    const results = await Promise.all([codes.check('a', code), codes.check('a', code)]);
    expect(results.filter(Boolean)).toEqual([email]);
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '\0'])('%j is refused', async (code) => {
    await codes.make('a', email);
    expect(await codes.check('a', code)).toBeNull();
  });

  it('is stored neither readable nor with the address [storage-2]', async () => {
    const code = await codes.make('a', email);
    const [row] = await store.selectFrom('codes').selectAll().execute();
    expect(JSON.stringify({ ...row, expires_at: 0 })).not.toMatch(new RegExp(`${code}|ada`));
  });
});
