import type { Session, Sessions } from '../session/sessions.ts';
import type { Subject } from '../session/subjects.ts';
import type { Store } from '../store/open.ts';
import type { Grants } from './grants.ts';
import { createOffers, type Source } from './offers.ts';

const offerMs = 30 * 86_400_000;

/**
 * How tickets from before a sign-in become the customer's. A script of the host page can sign a browser in as anybody,
 * so by itself only that passes which stands under the address that this customer has proven; the rest is offered to
 * the same browser, and waits for a press there.
 */
export function createTransfers(deps: {
  store: Store;
  sessions: Pick<Sessions, 'shown'>;
  grants: Pick<Grants, 'trust'>;
  now: () => number;
}) {
  const { store, sessions, grants, now } = deps;
  const offers = createOffers(deps);

  /** Another browser acts for the same subject, or may still add its tickets to a customer's. */
  async function isShared({ subjectId, sessionId }: Source): Promise<boolean> {
    if ((await sessions.shown(subjectId)).some(({ id }) => id !== sessionId)) return true;
    return offers.hasOthers({ subjectId, sessionId });
  }

  /**
   * Moves tickets with all that was sent to them. `keepsSource`: others act for the source and keep what they have;
   * the customer then holds the tickets beside them, with what the source's own session sent. `addressHash`: only
   * tickets that were opened under this address.
   */
  async function move(
    db: Store,
    { subjectId, sessionId }: { subjectId: string; sessionId?: string },
    to: Subject,
    { keepsSource, addressHash }: { keepsSource: boolean; addressHash?: string },
  ): Promise<void> {
    const openings = db
      .selectFrom('operations as opening')
      .where('opening.kind', '=', 'ticket')
      .where('opening.address_hash', '=', addressHash ?? '');
    const wanted = openings.select('opening.ticket_id').where('opening.ticket_id', 'is not', null);
    // Before the grants: what is delivered meanwhile then brings its grant to the new holder.
    await db
      .updateTable('operations')
      .set({ subject_id: to.id })
      .where('subject_id', '=', subjectId)
      .$if(keepsSource, (query) => query.where('session_id', '=', sessionId ?? ''))
      .$if(addressHash !== undefined, (query) =>
        query.where(({ eb, or }) =>
          or([
            eb('id', 'in', openings.select('opening.id')),
            eb('opened_by', 'in', openings.select('opening.id')),
            eb('ticket_id', 'in', wanted),
          ]),
        ),
      )
      .execute();
    const held = await db
      .selectFrom('grants')
      .selectAll()
      .where('subject_id', '=', subjectId)
      .$if(addressHash !== undefined, (query) => query.where('ticket_id', 'in', wanted))
      .execute();
    for (const { ticket_id, read_count } of held) {
      await db
        .insertInto('grants')
        .values({ subject_id: to.id, ticket_id, read_count, created_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      if (!keepsSource)
        await db
          .deleteFrom('grants')
          .where('subject_id', '=', subjectId)
          .where('ticket_id', '=', ticket_id)
          .execute();
    }
    if (keepsSource) return;
    // Nobody acts for the source any more.
    await db.deleteFrom('sessions').where('subject_id', '=', subjectId).execute();
    await db
      .deleteFrom('subjects')
      .where('id', '=', subjectId)
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('operations').select('id').whereRef('subject_id', '=', 'subjects.id'))),
      )
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('grants').select('ticket_id').whereRef('subject_id', '=', 'subjects.id'))),
      )
      .execute();
  }

  /** How many tickets of the source the customer does not hold; those count that still wait to be delivered. */
  async function countLeft(db: Store, { subjectId, sessionId }: Source, toId: string, keepsSource: boolean) {
    const delivered = await db
      .selectFrom('grants')
      .select('ticket_id')
      .where('subject_id', '=', subjectId)
      .where(
        'ticket_id',
        'not in',
        db.selectFrom('grants').select('ticket_id').where('subject_id', '=', toId),
      )
      .execute();
    const underway = await db
      .selectFrom('operations')
      .select('id')
      .where('subject_id', '=', subjectId)
      .where('kind', '=', 'ticket')
      .where('ticket_id', 'is', null)
      .$if(keepsSource, (query) => query.where('session_id', '=', sessionId))
      .execute();
    return delivered.length + underway.length;
  }

  /** Moves what stands under the customer's proven address; offers the rest when told what to put the offer under. */
  async function settle(source: Source, to: Subject, offer?: { tokenHash: string; expiresAt: number }) {
    const keepsSource = await isShared(source);
    await store.transaction().execute(async (trx) => {
      await move(trx, source, to, { keepsSource, addressHash: to.addressHash ?? '' });
      if (!offer || (await countLeft(trx, source, to.id, keepsSource)) === 0) return;
      await offers.make(offer.tokenHash, { source, toId: to.id, expiresAt: offer.expiresAt }, trx);
    });
  }

  return {
    /**
     * The browser of an anonymous session signs in. The offer stands under the token that it has so far: another tab
     * may sign in with the same one at this moment.
     */
    async begin(session: Session, tokenHash: string, to: Subject): Promise<void> {
      const expiresAt = Math.min(session.expiresAt, now() + offerMs);
      await settle({ subjectId: session.subjectId, sessionId: session.id }, to, { tokenHash, expiresAt });
    },

    /** A browser that has an offer signs in again. It is for one customer: another one's sign-in ends it. */
    async resume(tokenHash: string, to: Subject): Promise<void> {
      const offer = await offers.to(tokenHash);
      if (!offer) return;
      await settle(offer.source, to);
      if (offer.toId !== to.id) await offers.forget(offer.source);
    },

    carry: offers.carry,

    /** How many tickets the session's customer may add. */
    async count(sessionId: string): Promise<number> {
      const offer = await offers.in(sessionId);
      return offer ? countLeft(store, offer.source, offer.toId, await isShared(offer.source)) : 0;
    },

    /** The customer's own yes. Does nothing where nothing is on offer. */
    async accept(sessionId: string, to: Subject): Promise<void> {
      const offer = await offers.in(sessionId);
      if (!offer) return;
      const keepsSource = await isShared(offer.source);
      await store.transaction().execute(async (trx) => {
        await move(trx, offer.source, to, { keepsSource });
        await grants.trust(to, trx);
        await offers.forget(offer.source, trx);
      });
    },

    /** Gives up what is on offer to the browser with this token. */
    async decline(tokenHash: string): Promise<void> {
      const offer = await offers.to(tokenHash);
      if (offer) await offers.forget(offer.source);
    },

    /** Moves everything of another subject that is the same customer; what was offered to it is offered to `to`. */
    async merge(subjectId: string, to: Subject): Promise<void> {
      await store.transaction().execute(async (trx) => {
        await offers.readdress(subjectId, to.id, trx);
        await move(trx, { subjectId }, to, { keepsSource: false });
      });
    },
  };
}

export type Transfers = ReturnType<typeof createTransfers>;
