import { randomBytes, randomInt } from 'node:crypto';
import { isUuid } from '../../../shared/contract/ids.ts';
import type { Store } from '../store/open.ts';
import type { Seal } from '../store/seal.ts';
import { encode } from 'uqr';

const lifetimeMs = 10 * 60_000;
const secretBytes = 16;

/** The current offer of one session. Times are Unix milliseconds. */
export interface CurrentOffer {
  state: 'offered' | 'asked';
  /** Two digits that both devices show; null until a device has asked. */
  number: string | null;
  expiresAt: number;
}

/** The facts that a device that opened the link may know. */
export interface AskedOffer {
  number: string;
  /** Id of the session that offers. */
  offeredBy: string;
  isConfirmed: boolean;
}

/**
 * Offers of a session to one other device. The steps: offered, asked by the first device, confirmed, taken. Every step
 * is one statement, so that only one of two simultaneous requests succeeds. Secrets and devices are kept as keyed hashes.
 * @param options.now Unix milliseconds
 */
export function createHandoffs({ store, seal, now }: { store: Store; seal: Seal; now: () => number }) {
  const secretHash = (secret: string) => seal.hash('handoff secret', secret);
  const deviceHash = (secret: string, device: string) =>
    seal.hash('handoff device', `${secret}\0${device.toLowerCase()}`);

  return {
    /** Replaces the session's offer with a new one, valid for 10 minutes. Only this answer contains the secret. */
    async offer(sessionId: string): Promise<{ secret: string; expiresAt: number }> {
      const secret = randomBytes(secretBytes).toString('base64url');
      const row = {
        secret_hash: secretHash(secret),
        device_hash: null,
        number: null,
        confirmed: 0,
        expires_at: now() + lifetimeMs,
      };
      await store
        .insertInto('handoffs')
        .values({ session_id: sessionId, ...row })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet(row))
        .execute();
      return { secret, expiresAt: row.expires_at };
    },

    /** Null when there is no offer, or it was taken or has expired. */
    async current(sessionId: string): Promise<CurrentOffer | null> {
      const row = await store
        .selectFrom('handoffs')
        .select(['number', 'expires_at'])
        .where('session_id', '=', sessionId)
        .where('expires_at', '>', now())
        .executeTakeFirst();
      if (!row) return null;
      return { state: row.number ? 'asked' : 'offered', number: row.number, expiresAt: row.expires_at };
    },

    /** Binds the offer to the first device (a UUID) that asks. Null for other devices and when there is no offer. */
    async ask(secret: string, device: string): Promise<AskedOffer | null> {
      if (!isUuid(device)) return null;
      const hash = deviceHash(secret, device);
      const number = String(randomInt(100)).padStart(2, '0');
      const row = await store
        .updateTable('handoffs')
        .set((eb) => ({
          device_hash: hash,
          number: eb.fn.coalesce('number', eb.val(number)),
        }))
        .where('secret_hash', '=', secretHash(secret))
        .where('expires_at', '>', now())
        .where((eb) => eb.or([eb('device_hash', 'is', null), eb('device_hash', '=', hash)]))
        .returning(['session_id', 'number', 'confirmed'])
        .executeTakeFirst();
      return row
        ? { number: row.number!, offeredBy: row.session_id, isConfirmed: row.confirmed === 1 }
        : null;
    },

    /** Returns false unless a device has asked and was given this number. */
    async confirm(sessionId: string, number: string): Promise<boolean> {
      const { numUpdatedRows } = await store
        .updateTable('handoffs')
        .set({ confirmed: 1 })
        .where('session_id', '=', sessionId)
        .where('number', '=', number)
        .where('expires_at', '>', now())
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    /** Returns true once, for the device that asked, after the confirmation. */
    async take(secret: string, device: string): Promise<boolean> {
      const row = await store
        .deleteFrom('handoffs')
        .where('secret_hash', '=', secretHash(secret))
        .where('device_hash', '=', deviceHash(secret, device))
        .where('confirmed', '=', 1)
        .where('expires_at', '>', now())
        .returning('session_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async withdraw(sessionId: string): Promise<void> {
      await store.deleteFrom('handoffs').where('session_id', '=', sessionId).execute();
    },
  };
}

export type Handoffs = ReturnType<typeof createHandoffs>;

/** A text as a QR code: rows of `0` and `1`, one character a module, with a border of two light ones. */
export const qrRows = (text: string): string[] =>
  encode(text, { ecc: 'M', border: 2 }).data.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));
