import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createHandoffs, type Handoffs } from './handoffs.ts';
import { seal, storeWith } from '../../testing/identity-tokens.ts';

const phone = randomUUID();
const other = randomUUID();
let now = 0;
let store: Awaited<ReturnType<typeof storeWith>>;
let handoffs: Handoffs;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  store = await storeWith('a', 'b');
  handoffs = createHandoffs({ store, seal, now: () => now });
});

/** Confirms with the number of the current offer, if there is one. */
const confirm = async (sessionId: string) =>
  handoffs.confirm(sessionId, (await handoffs.current(sessionId))?.number ?? '00');

describe('a handoff', () => {
  it('goes through offered, asked and confirmed to taken, once', async () => {
    const { secret, expiresAt } = await handoffs.offer('a');
    expect(expiresAt).toBe(now + 600_000);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(16);
    expect(await handoffs.current('a')).toEqual({ state: 'offered', number: null, expiresAt });

    const asked = await handoffs.ask(secret, phone);
    expect(asked).toMatchObject({ offeredBy: 'a', isConfirmed: false });
    expect(asked!.number).toMatch(/^\d\d$/);
    expect(await handoffs.current('a')).toEqual({ state: 'asked', number: asked!.number, expiresAt });
    expect(await handoffs.ask(secret, phone.toUpperCase())).toEqual(asked);
    expect(await handoffs.take(secret, phone)).toBe(false);

    expect(await confirm('a')).toBe(true);
    expect(await handoffs.ask(secret, phone)).toEqual({ ...asked, isConfirmed: true });
    expect(await handoffs.take(secret, phone)).toBe(true);
    expect(await handoffs.take(secret, phone)).toBe(false);
    expect(await handoffs.ask(secret, phone)).toBeNull();
    expect(await handoffs.current('a')).toBeNull();
  });

  it('cannot be confirmed before a device asks, nor by another session', async () => {
    const { secret } = await handoffs.offer('a');
    expect(await confirm('a')).toBe(false);
    await handoffs.ask(secret, phone);
    expect(await confirm('b')).toBe(false);
    expect(await handoffs.take(secret, phone)).toBe(false);
  });

  it('works only for the device that asked first, also after the confirmation', async () => {
    const { secret } = await handoffs.offer('a');
    const asked = await handoffs.ask(secret, phone);
    expect(await handoffs.ask(secret, other)).toBeNull();
    await confirm('a');
    expect(await handoffs.ask(secret, other)).toBeNull();
    expect(await handoffs.take(secret, other)).toBe(false);
    expect(await handoffs.current('a')).toMatchObject({ number: asked!.number });
    expect(await handoffs.take(secret, phone)).toBe(true);
  });

  it('is bound to one of two devices that ask at once [identity-54]', async () => {
    const { secret } = await handoffs.offer('a');
    const answers = await Promise.all([handoffs.ask(secret, phone), handoffs.ask(secret, other)]);
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  it('is taken once by a device that takes it twice at once', async () => {
    const { secret } = await handoffs.offer('a');
    await handoffs.ask(secret, phone);
    await confirm('a');
    const taken = await Promise.all([handoffs.take(secret, phone), handoffs.take(secret, phone)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('ends, with all progress, when the session offers again', async () => {
    const former = await handoffs.offer('a');
    await handoffs.ask(former.secret, phone);
    await confirm('a');
    const { secret } = await handoffs.offer('a');
    expect(await handoffs.take(former.secret, phone)).toBe(false);
    expect(await handoffs.current('a')).toMatchObject({ state: 'offered', number: null });
    expect(await handoffs.ask(secret, other)).toMatchObject({ isConfirmed: false });
  });

  it('ends when it is withdrawn', async () => {
    const { secret } = await handoffs.offer('a');
    await handoffs.withdraw('a');
    expect(await handoffs.current('a')).toBeNull();
    expect(await handoffs.ask(secret, phone)).toBeNull();
  });

  it('ends after ten minutes, whatever step it has reached', async () => {
    const { secret } = await handoffs.offer('a');
    now += 600_000 - 1;
    expect(await handoffs.ask(secret, phone)).not.toBeNull();
    now += 1;
    expect(await handoffs.current('a')).toBeNull();
    expect(await handoffs.ask(secret, phone)).toBeNull();
    expect(await confirm('a')).toBe(false);
    now -= 1;
    expect(await confirm('a')).toBe(true);
    now += 1;
    expect(await handoffs.take(secret, phone)).toBe(false);
  });

  it('ends with the session that offers', async () => {
    const { secret } = await handoffs.offer('a');
    await store.deleteFrom('sessions').where('id', '=', 'a').execute();
    expect(await handoffs.ask(secret, phone)).toBeNull();
  });

  it.each(['', 'x', 'A'.repeat(22), '\0'])('refuses %j as a secret', async (secret) => {
    await handoffs.offer('a');
    expect(await handoffs.ask(secret, phone)).toBeNull();
    expect(await handoffs.take(secret, phone)).toBe(false);
  });

  it.each(['', '1', `${phone} `])('refuses %j as a device', async (device) => {
    const { secret } = await handoffs.offer('a');
    expect(await handoffs.ask(secret, device)).toBeNull();
    expect(await handoffs.ask(secret, phone)).not.toBeNull();
  });

  it('is stored without the secret and the device [storage-3]', async () => {
    const { secret } = await handoffs.offer('a');
    await handoffs.ask(secret, phone);
    const rows = JSON.stringify(await store.selectFrom('handoffs').selectAll().execute());
    expect(rows).not.toContain(secret);
    expect(rows).not.toContain(phone);
  });
});
