import { randomBytes, randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Seal } from '../store/seal.ts';
import type { SessionRow, Tables } from '../store/schema.ts';
import type { Store } from '../store/open.ts';

/** One browser, acting for one subject. */
export interface Session {
  id: string;
  subjectId: string;
  /** Unix milliseconds; it may end earlier. */
  expiresAt: number;
}

/** A session as it is given to a browser, once. */
export interface NewSession {
  session: Session;
  token: string;
  /** Milliseconds that the browser keeps the token for: until it ends at the latest, or longer. */
  lifetimeMs: number;
}

/** What decides how long a session lives. */
export interface SessionKind {
  /** The subject proved who it is. */
  isSignedIn: boolean;
  /** A script keeps the token, since this browser keeps no cookie. */
  isBearer: boolean;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const forever = { idleMs: Infinity, absoluteMs: Infinity };
const anonymous = { idleMs: 30 * dayMs, absoluteMs: 90 * dayMs };
const signedIn = { idleMs: hourMs, absoluteMs: 12 * hourMs };
const bearer = { idleMs: dayMs, absoluteMs: 7 * dayMs };

function lifetimeOf({ isSignedIn, isBearer }: SessionKind) {
  const all = [isSignedIn ? signedIn : anonymous, isBearer ? bearer : forever];
  return {
    idleMs: Math.min(...all.map(({ idleMs }) => idleMs)),
    absoluteMs: Math.min(...all.map(({ absoluteMs }) => absoluteMs)),
  };
}

const maxUnsaved = 10_000;

/**
 * Opaque tokens of 256 bits, kept only as a keyed hash. Times by `now`, Unix milliseconds. `onError` is called when
 * activity could not be written.
 */
export function createSessions(deps: {
  store: Store;
  seal: Seal;
  now: () => number;
  onError: (error: unknown) => void;
}) {
  const { store, seal, now, onError } = deps;
  /** When sessions were last used, by id, while the store does not take it. */
  const unsaved = new LRUCache<string, number>({ max: maxUnsaved });
  const hashOf = (token: string) => seal.hash('session token', token);

  /** `notAfter`: Unix milliseconds that it must not outlive. */
  async function issue(subjectId: string, kind: SessionKind, notAfter = Infinity): Promise<NewSession> {
    const token = `s1_${randomBytes(32).toString('base64url')}`;
    const id = randomUUID();
    const { idleMs, absoluteMs } = lifetimeOf(kind);
    const createdAt = now();
    const expiresAt = Math.min(createdAt + absoluteMs, notAfter);
    await store
      .insertInto('sessions')
      .values({
        id,
        subject_id: subjectId,
        token_hash: hashOf(token),
        created_at: createdAt,
        seen_at: null,
        idle_ms: idleMs,
        expires_at: expiresAt,
      })
      .execute();
    return { session: { id, subjectId, expiresAt }, token, lifetimeMs: expiresAt - createdAt };
  }

  const usedAt = (row: SessionRow) => unsaved.get(row.id) ?? row.seen_at ?? row.created_at;
  const isLive = (row: SessionRow) => row.expires_at > now() && usedAt(row) + row.idle_ms > now();

  /** Best effort: reading must work with a store that cannot be written. */
  async function saveUse(id: string): Promise<void> {
    try {
      await store.updateTable('sessions').set({ seen_at: now() }).where('id', '=', id).execute();
      unsaved.delete(id);
    } catch (error) {
      unsaved.set(id, now());
      onError(error);
    }
  }

  const toSession = (row: SessionRow): Session => ({
    id: row.id,
    subjectId: row.subject_id,
    expiresAt: row.expires_at,
  });

  return {
    issue,

    /** The hash under which the store keeps a token. */
    hashOf,

    /** The live session of a token; null for any other text. Counts as activity. */
    async authenticate(token: string): Promise<Session | null> {
      const row = await store
        .selectFrom('sessions')
        .selectAll()
        .where('token_hash', '=', hashOf(token))
        .executeTakeFirst();
      if (!row || !isLive(row)) return null;
      // Not written at every request: a twentieth of the idle time is exact enough.
      if (row.seen_at === null || row.seen_at + row.idle_ms / 20 < now()) await saveUse(row.id);
      return toSession(row);
    },

    async find(id: string): Promise<Session | null> {
      const row = await store.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
      return row && isLive(row) ? toSession(row) : null;
    },

    /** The live sessions of a subject that a browser has used. A session that was never used may never have arrived. */
    async shown(subjectId: string): Promise<Session[]> {
      const rows = await store
        .selectFrom('sessions')
        .selectAll()
        .where('subject_id', '=', subjectId)
        .where('seen_at', 'is not', null)
        .execute();
      return rows.filter(isLive).map(toSession);
    },

    async end(id: string): Promise<void> {
      await store.deleteFrom('sessions').where('id', '=', id).execute();
    },

    async endAll(subjectId: string, db = store): Promise<void> {
      await db.deleteFrom('sessions').where('subject_id', '=', subjectId).execute();
    },

    async removeEnded(): Promise<void> {
      const lastUse = ({ fn }: ExpressionBuilder<Tables, 'sessions'>) => fn.coalesce('seen_at', 'created_at');
      await store
        .deleteFrom('sessions')
        .where((query) =>
          query.or([
            query('expires_at', '<=', now()),
            query(lastUse(query), '<=', query(query.val(now()), '-', query.ref('idle_ms'))),
          ]),
        )
        .execute();
    },
  };
}

export type Sessions = ReturnType<typeof createSessions>;
