import { randomInt } from 'node:crypto';
import { isEqual } from '../is-equal.ts';
import type { Store } from '../store/open.ts';
import type { Seal } from '../store/seal.ts';

export interface CodeMailer {
  /**
   * Mails a one-time code. A refusal of the recipient is not reported: the person who typed the address must not learn
   * anything about it.
   * @param language tag of a language of the widget; any other tag means English
   * @throws {AppError} `upstream_unavailable` when the mail server cannot be reached or does not accept our mail
   */
  sendCode(to: string, code: string, language: string): Promise<void>;
}

/** The part of the BFF that mails codes. Undefined where none does. */
export const mailerOf = (parts: readonly Partial<CodeMailer>[]): CodeMailer | undefined =>
  parts.find((part): part is CodeMailer => part.sendCode !== undefined);

const lifetimeMs = 10 * 60_000;
const maxTries = 5;

/**
 * Six-digit codes that prove an e-mail address. Each session has one at a time, kept only as a keyed hash.
 * @param options.now Unix milliseconds
 */
export function createCodes({ store, seal, now }: { store: Store; seal: Seal; now: () => number }) {
  const hashOf = (sessionId: string, code: string) => seal.hash('e-mail code', `${sessionId}\0${code}`);

  return {
    /** Replaces the session's code with a new one, valid for 10 minutes. */
    async make(sessionId: string, email: string): Promise<string> {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const row = {
        email_sealed: seal.seal('codes.email', email),
        code_hash: hashOf(sessionId, code),
        tries: 0,
        expires_at: now() + lifetimeMs,
      };
      await store
        .insertInto('codes')
        .values({ session_id: sessionId, ...row })
        .onConflict((conflict) => conflict.column('session_id').doUpdateSet(row))
        .execute();
      return code;
    },

    /** Returns the address that the code proves, once. Null for a wrong code, and after five tries. */
    async check(sessionId: string, code: string): Promise<string | null> {
      // SECURITY: the try is counted before the comparison, so that simultaneous requests get no sixth try.
      const row = await store
        .updateTable('codes')
        .set((eb) => ({ tries: eb('tries', '+', 1) }))
        .where('session_id', '=', sessionId)
        .where('tries', '<', maxTries)
        .where('expires_at', '>', now())
        .returning('code_hash')
        .executeTakeFirst();
      if (!row || !isEqual(row.code_hash, hashOf(sessionId, code))) return null;
      const used = await store
        .deleteFrom('codes')
        .where('session_id', '=', sessionId)
        .where('code_hash', '=', row.code_hash)
        .returning('email_sealed')
        .executeTakeFirst();
      return used ? seal.open('codes.email', used.email_sealed) : null;
    },
  };
}

export type Codes = ReturnType<typeof createCodes>;
