import type { Store } from '../store/open.ts';
import { listOf } from '../store/dialect.ts';
import { prepareRead } from '../store/statements/reads-together.ts';

/** The holder whose tickets are transferred to a customer. */
export interface Source {
  subjectId: string;
  /** The browser's session. Other devices may act for the same subject. */
  sessionId: string;
}

export interface Offer {
  source: Source;
  /** The subject that may add the source's tickets to its own. */
  toId: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

interface OfferColumns {
  from_subject: string;
  from_session: string;
  to_subject: string;
  expires_at: number;
}

const columns = ['from_subject', 'from_session', 'to_subject', 'transfers.expires_at'] as const;
const toOffer = (row: OfferColumns): Offer => ({
  source: { subjectId: row.from_subject, sessionId: row.from_session },
  toId: row.to_subject,
  expiresAt: row.expires_at,
});
const toColumns = ({ source, toId, expiresAt }: Offer): OfferColumns => ({
  from_subject: source.subjectId,
  from_session: source.sessionId,
  to_subject: toId,
  expires_at: expiresAt,
});

/**
 * Offers that let a browser add its earlier tickets to the tickets of its customer. An offer belongs to the browser's
 * token, not to its session: the session of a signed-in customer lasts only hours, and the next one begins unnoticed.
 */
export function createOffers({ store, now }: { store: Store; now: () => number }) {
  const current = (at = now()) => store.selectFrom('transfers').where('transfers.expires_at', '>', at);
  const ofSessions = prepareRead(({ sessionIds, at }: { sessionIds: string; at: number }) =>
    current(at)
      .innerJoin('sessions', (join) =>
        join
          .onRef('sessions.token_hash', '=', 'transfers.token_hash')
          .onRef('sessions.subject_id', '=', 'to_subject'),
      )
      .select([...columns, 'sessions.id as session_id'])
      .where('sessions.id', 'in', listOf(store, sessionIds)),
  );

  /** The offer to the browser with this token, whether or not its session has ended. */
  async function to(tokenHash: string): Promise<Offer | null> {
    const row = await current().select(columns).where('token_hash', '=', tokenHash).executeTakeFirst();
    return row ? toOffer(row) : null;
  }

  async function inSessions(sessionIds: readonly string[]): Promise<Map<string, Offer>> {
    const rows = await ofSessions(store, { sessionIds: JSON.stringify(sessionIds), at: now() });
    return new Map(rows.map((row) => [row.session_id, toOffer(row)]));
  }

  async function make(tokenHash: string, offer: Offer, db = store): Promise<void> {
    await db
      .insertInto('transfers')
      .values({ token_hash: tokenHash, ...toColumns(offer) })
      .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(toColumns(offer)))
      .execute();
  }

  return {
    to,
    make,

    /** The offer to the browser of a session that has not ended, for its own customer only. */
    async in(sessionId: string): Promise<Offer | null> {
      return (await inSessions([sessionId])).get(sessionId) ?? null;
    },

    /** The same for many sessions, by id of the session. */
    inSessions,

    /** Whether another browser may add tickets of the same subject. */
    async hasOthers({ subjectId, sessionId }: Source): Promise<boolean> {
      const others = await current()
        .select('from_session')
        .where('from_subject', '=', subjectId)
        .where('from_session', '!=', sessionId)
        .execute();
      return others.length > 0;
    },

    /**
     * Copies the browser's offer to its new token. With `toId`, only an offer to that customer is copied. Returns for
     * how many milliseconds the browser must keep the token because of the offer; 0 without an offer.
     */
    async carry(fromHash: string, toHash: string, toId?: string): Promise<number> {
      const offer = await to(fromHash);
      if (!offer || (toId !== undefined && offer.toId !== toId)) return 0;
      await make(toHash, offer);
      return offer.expiresAt - now();
    },

    /** Removes the source's offers under every token of that browser. */
    async forget({ sessionId }: Source, db = store): Promise<void> {
      await db.deleteFrom('transfers').where('from_session', '=', sessionId).execute();
    },

    /** Changes the offers for one subject to another subject of the same customer. */
    async readdress(fromId: string, toId: string, db = store): Promise<void> {
      await db.updateTable('transfers').set({ to_subject: toId }).where('to_subject', '=', fromId).execute();
    },
  };
}
