import { randomBytes, randomUUID } from 'node:crypto';
import type { Seal } from '../store/seal.ts';
import type { Contact, SessionRow } from '../store/schema.ts';
import type { Store } from '../store/open.ts';

/** One browser, signed in as one subject. */
export interface Session {
  id: string;
  subjectId: string;
  /** False until the browser has shown its token: the answer that carried it may have been lost. */
  isSeen: boolean;
}

export interface Subject {
  id: string;
  contact: Contact | null;
  isVerified: boolean;
}

const dayMs = 86_400_000;
export const idleMs = 30 * dayMs;
export const absoluteMs = 90 * dayMs;
const touchEveryMs = 3_600_000;

/** Opaque tokens of 256 bits, kept only as a keyed hash. Times by `now`, Unix milliseconds. */
export function createSessions({ store, seal, now }: { store: Store; seal: Seal; now: () => number }) {
  const hashOf = (token: string) => seal.hash('session token', token);

  async function issue(subjectId: string): Promise<{ session: Session; token: string }> {
    const token = `s1_${randomBytes(32).toString('base64url')}`;
    const id = randomUUID();
    const row = {
      id,
      subject_id: subjectId,
      token_hash: hashOf(token),
      created_at: now(),
      expires_at: now() + absoluteMs,
    };
    await store
      .insertInto('sessions')
      .values({ ...row, seen_at: null })
      .execute();
    return { session: { id, subjectId, isSeen: false }, token };
  }

  const isLive = (row: SessionRow) =>
    row.expires_at > now() && (row.seen_at ?? row.created_at) + idleMs > now();

  return {
    /** A new anonymous subject and its first session. */
    async start(contact: Contact) {
      const subjectId = randomUUID();
      const contact_sealed = seal.seal('subjects.contact', contact);
      await store
        .insertInto('subjects')
        .values({ id: subjectId, contact_sealed, verified: 0, created_at: now() })
        .execute();
      return issue(subjectId);
    },

    /** One more session of a subject: its first answer never arrived. */
    issue,

    /** The live session of a token; null for any other text. Counts as activity. */
    async authenticate(token: string): Promise<Session | null> {
      const row = await store
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', hashOf(token))
        .executeTakeFirst();
      if (!row || !isLive(row)) return null;
      if (row.seen_at === null || row.seen_at + touchEveryMs < now()) {
        await store.updateTable('sessions').set({ seen_at: now() }).where('id', '=', row.id).execute();
      }
      return { id: row.id, subjectId: row.subject_id, isSeen: true };
    },

    async find(id: string): Promise<Session | null> {
      const row = await store.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
      return row && isLive(row) ? { id, subjectId: row.subject_id, isSeen: row.seen_at !== null } : null;
    },

    async end(id: string): Promise<void> {
      await store.deleteFrom('sessions').where('id', '=', id).execute();
    },

    /** Removes a subject that nothing was sent for, and its sessions. */
    async forget(subjectId: string): Promise<void> {
      await store.deleteFrom('subjects').where('id', '=', subjectId).execute();
    },

    async subject(id: string): Promise<Subject> {
      const row = await store
        .selectFrom('subjects')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const contact = row.contact_sealed ? seal.open('subjects.contact', row.contact_sealed) : null;
      return { id, contact, isVerified: row.verified === 1 };
    },

    /** Keeps what an unverified subject last typed, so that the next form is filled in. */
    async setContact(subjectId: string, contact: Contact): Promise<void> {
      const contact_sealed = seal.seal('subjects.contact', contact);
      await store
        .updateTable('subjects')
        .set({ contact_sealed })
        .where('id', '=', subjectId)
        .where('verified', '=', 0)
        .execute();
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
