import { sql } from 'kysely';
import type { Attributes } from '../../../shared/contract/attributes.ts';
import { newRowId, type SessionRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { Store } from '../store/open.ts';
import { countByParts, isInPart } from '../store/statements/count.ts';
import { listOf } from '../store/dialect.ts';
import { prepare } from '../store/statements/prepared.ts';
import { prepareRead } from '../store/statements/reads-together.ts';
import { prepareWrite } from '../store/statements/writes-together.ts';
import { removeExpired, removeSome } from '../store/statements/remove.ts';
import { type SubjectColumns, subjectColumns, type Subjects } from './subjects.ts';
import { randomBytes } from 'node:crypto';
import { createCache } from '../cache.ts';

/** One browser, acting for one subject. */
export interface Session {
  id: string;
  subjectId: string;
  /** Unix milliseconds; it may end earlier. */
  expiresAt: number;
  /** What the site's token says of its customer, encrypted. */
  attributesSealed?: string | null;
}

/** A new session, as it is given to the browser once. */
export interface NewSession {
  session: Session;
  token: string;
  /** For how many milliseconds the browser keeps the token: at least until `session.expiresAt`. */
  lifetimeMs: number;
}

/** The facts about a browser with a live session that its customer may see. Times are Unix milliseconds. */
export interface Device {
  id: string;
  createdAt: number;
  usedAt: number;
  /** What the site's token says of the customer. */
  attributes: Attributes | undefined;
}

/** The facts that decide how long a session is valid. */
export interface SessionKind {
  /** The subject proved who it is. */
  isSignedIn: boolean;
  /** A script keeps the token, because this browser keeps no cookies. */
  isBearer: boolean;
  /** What the site's token says of its customer. */
  attributes?: Attributes | undefined;
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

const statementsOf = (store: Store) => ({
  byToken: prepareRead(({ hash }: { hash: string }) =>
    store
      .selectFrom('sessions')
      .innerJoin('subjects', 'subjects.id', 'subject_id')
      .selectAll('sessions')
      .select(subjectColumns)
      .where('token_hash', '=', hash),
  ),
  byId: prepareRead(({ id }: { id: string }) =>
    store.selectFrom('sessions').selectAll().where('id', '=', id),
  ),
  byIds: prepare(({ ids }: { ids: string }) =>
    store
      .selectFrom('sessions')
      .select(['id', 'created_at', 'seen_at', 'idle_ms', 'expires_at'])
      .where('id', 'in', listOf(store, ids)),
  ),
  liveInPart: prepare(({ after, upTo, at }: { after: number; upTo: number; at: number }) =>
    store
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where(isInPart(store, { after, upTo }))
      .where('expires_at', '>', at)
      .where(sql<number>`coalesce(seen_at, created_at) + idle_ms`, '>', at),
  ),
  markUsed: prepareWrite(store, ({ id, seen_at }: { id: string; seen_at: number }) =>
    store.updateTable('sessions').set({ seen_at }).where('id', '=', id).returningAll(),
  ),
  insert: prepare((row: Omit<SessionRow, 'seen_at'>) =>
    store
      .insertInto('sessions')
      .values({
        id: row.id,
        subject_id: row.subject_id,
        token_hash: row.token_hash,
        created_at: row.created_at,
        idle_ms: row.idle_ms,
        expires_at: row.expires_at,
        attributes_sealed: row.attributes_sealed,
      })
      .returning('id'),
  ),
});

/**
 * Opaque tokens of 256 bits. The store keeps only a keyed hash. Times by `now`, Unix milliseconds. `onError` is called when
 * activity could not be written.
 */
export function createSessions(deps: {
  store: Store;
  seal: Seal;
  subjects: Pick<Subjects, 'markVisited'>;
  now: () => number;
  onError: (error: unknown) => void;
}) {
  const { store, seal, subjects, now, onError } = deps;
  /** When sessions were last used, by id. Kept here while the store accepts no writes. */
  const unsaved = createCache<number>(maxUnsaved);
  const hashOf = (token: string): string => seal.hash('session token', token);
  const statements = statementsOf(store);

  /** A session that exists once `write` has run. It ends at `notAfter` (Unix milliseconds) at the latest. */
  function draft(subjectId: string, kind: SessionKind, notAfter = Infinity) {
    const token = newToken();
    const id = newRowId();
    const { idleMs, absoluteMs } = lifetimeOf(kind);
    const createdAt = now();
    const expiresAt = Math.min(createdAt + absoluteMs, notAfter);
    const attributesSealed = kind.attributes ? seal.seal('sessions.attributes', kind.attributes) : null;
    const write = statements.insert.of({
      id,
      subject_id: subjectId,
      token_hash: hashOf(token),
      created_at: createdAt,
      idle_ms: idleMs,
      expires_at: expiresAt,
      attributes_sealed: attributesSealed,
    });
    const issued: NewSession = {
      session: { id, subjectId, expiresAt, attributesSealed },
      token,
      lifetimeMs: expiresAt - createdAt,
    };
    return { issued, write };
  }

  async function issue(...of: Parameters<typeof draft>): Promise<NewSession> {
    const { issued, write } = draft(...of);
    await store.executeQuery(write);
    return issued;
  }

  const usedAt = (row: Pick<SessionRow, 'id' | 'seen_at' | 'created_at'>) =>
    unsaved.get(row.id) ?? row.seen_at ?? row.created_at;
  const isLive = (row: Pick<SessionRow, 'id' | 'created_at' | 'seen_at' | 'idle_ms' | 'expires_at'>) =>
    row.expires_at > now() && usedAt(row) + row.idle_ms > now();

  /** Best effort, because reads must work while the store cannot be written. */
  async function saveUse({ id, subject_id }: SessionRow): Promise<void> {
    try {
      await subjects.markVisited(subject_id);
      await statements.markUsed(store, { id, seen_at: now() });
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
    attributesSealed: row.attributes_sealed,
  });

  const attributesOf = ({ attributesSealed }: Pick<Session, 'attributesSealed'>): Attributes | undefined =>
    attributesSealed ? (seal.open('sessions.attributes', attributesSealed) ?? undefined) : undefined;

  /** A session that was never used may never have arrived. */
  async function liveOf(subjectId: string): Promise<SessionRow[]> {
    const rows = await store
      .selectFrom('sessions')
      .selectAll()
      .where('subject_id', '=', subjectId)
      .where('seen_at', 'is not', null)
      .execute();
    return rows.filter(isLive);
  }

  return {
    draft,
    issue,
    attributesOf,

    /** The hash under which the store keeps a token. */
    hashOf,

    /**
     * The live session of the token with this hash, and the subject that it acts for. Null for any other token. Counts
     * as activity.
     */
    async authenticate(tokenHash: string): Promise<{ session: Session; subject: SubjectColumns } | null> {
      const [row] = await statements.byToken(store, { hash: tokenHash });
      if (!row || !isLive(row)) return null;
      // Not written at every request: a twentieth of the idle time is exact enough.
      if (row.seen_at === null || row.seen_at + row.idle_ms / 20 < now()) await saveUse(row);
      return { session: toSession(row), subject: row };
    },

    async find(id: string): Promise<Session | null> {
      const [row] = await statements.byId(store, { id });
      return row && isLive(row) ? toSession(row) : null;
    },

    /** The sessions of this list that are live. */
    async findLive(ids: readonly string[]): Promise<Set<string>> {
      const rows = await statements.byIds(store, { ids: JSON.stringify(ids) });
      return new Set(rows.filter(isLive).map(({ id }) => id));
    },

    /** The live sessions of a subject that a browser has used. */
    async shown(subjectId: string): Promise<Session[]> {
      return (await liveOf(subjectId)).map(toSession);
    },

    async end(id: string): Promise<void> {
      await store.deleteFrom('sessions').where('id', '=', id).execute();
    },

    async endAll(subjectId: string, db = store): Promise<void> {
      await db.deleteFrom('sessions').where('subject_id', '=', subjectId).execute();
    },

    /** The live sessions of a subject that a browser has used, the newest first. */
    async devices(subjectId: string): Promise<Device[]> {
      const rows = await liveOf(subjectId);
      return rows
        .toSorted((a, b) => b.created_at - a.created_at)
        .map((row) => ({
          id: row.id,
          createdAt: row.created_at,
          usedAt: usedAt(row),
          attributes: attributesOf(toSession(row)),
        }));
    },

    /** Removes up to `limit` ended sessions with the rows that refer to them. Returns how many. */
    async removeEnded(limit: number): Promise<number> {
      const late = await removeExpired(store, 'sessions', now(), limit);
      // Written as in the index `sessions_by_last_use`.
      const idle = await removeSome(
        store,
        'sessions',
        sql`coalesce(seen_at, created_at) + idle_ms <= ${now()}`,
        limit,
      );
      return Math.max(late, idle);
    },

    /** In a large store, the count may be some minutes old. */
    countLive: countByParts(
      { store, table: 'sessions' },
      async ({ after, upTo }) => (await statements.liveInPart(store, { after, upTo, at: now() }))[0]!.count,
      (sum, count) => sum + count,
    ),
  };
}

export type Sessions = ReturnType<typeof createSessions>;

/** A new token of a session. Only its browser stores it. */
const newToken = () => `s1_${randomBytes(32).toString('base64url')}`;
