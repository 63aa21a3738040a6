import type { Session, Sessions } from '../identity/sessions.ts';
import type { Subject, Subjects } from '../identity/subjects.ts';
import type { Store } from '../store/open.ts';
import { inTransaction } from '../store/statements/transaction.ts';
import type { Ownership } from './ownership.ts';
import { createOffers, type Source } from './offers.ts';
import type { OperationChanges } from './operations.ts';

const offerMs = 30 * 86_400_000;

/**
 * Transfers tickets from before a sign-in to the customer. A script of the host page can sign a browser in as
 * anybody. So only tickets under the address that the customer has proven are transferred at once. The rest is
 * offered to the same browser, until the customer accepts it there.
 */
export function createTransfers(deps: {
  store: Store;
  sessions: Pick<Sessions, 'shown' | 'endAll'>;
  subjects: Pick<Subjects, 'removeUnused'>;
  ownership: Pick<Ownership, 'trust' | 'transfer'>;
  operations: Pick<OperationChanges, 'reassign'>;
  now: () => number;
}) {
  const { store, sessions, subjects, ownership, operations, now } = deps;
  const offers = createOffers({ store, now });

  /** Another browser acts for the same subject, or may still add its tickets to a customer's. */
  async function isShared({ subjectId, sessionId }: Source): Promise<boolean> {
    if ((await sessions.shown(subjectId)).some(({ id }) => id !== sessionId)) return true;
    return offers.hasOthers({ subjectId, sessionId });
  }

  /**
   * Transfers the tickets of a source to a customer, with all sends to them. `keepSource`: other browsers act for the
   * source, which keeps its tickets. The customer then holds them too, with the sends of the source's own session.
   * `addressHash`: only tickets that were opened under this address.
   */
  async function transferTickets(
    { subjectId, sessionId }: { subjectId: string; sessionId?: string },
    to: Subject,
    { keepSource, addressHash }: { keepSource: boolean; addressHash?: string },
    db: Store,
  ): Promise<void> {
    // This comes before the grants, so that the new holder gets the grant for a ticket that is delivered meanwhile.
    const sender = { subjectId, sessionId: keepSource ? sessionId : undefined, addressHash };
    await operations.reassign(sender, to.id, db);
    await ownership.transfer(subjectId, to.id, { keepSource, addressHash }, db);
    if (keepSource) return;
    // No browser acts for the source any more.
    await sessions.endAll(subjectId, db);
    await subjects.removeUnused(subjectId, db);
  }

  /**
   * The number of the source's tickets that the customer does not hold, including those that are not delivered yet.
   */
  async function countLeft(db: Store, { subjectId, sessionId }: Source, toId: string, keepSource: boolean) {
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
      .$if(keepSource, (query) => query.where('session_id', '=', sessionId))
      .execute();
    return delivered.length + underway.length;
  }

  /** Transfers the tickets under the customer's proven address. Offers the rest when `offer` is given. */
  async function settle(source: Source, to: Subject, offer?: { tokenHash: string; expiresAt: number }) {
    const keepSource = await isShared(source);
    await inTransaction(store, async (trx) => {
      await transferTickets(source, to, { keepSource, addressHash: to.addressHash ?? '' }, trx);
      if (!offer || (await countLeft(trx, source, to.id, keepSource)) === 0) return;
      await offers.make(offer.tokenHash, { source, toId: to.id, expiresAt: offer.expiresAt }, trx);
    });
  }

  return {
    /**
     * To be called when the browser of an anonymous session signs in. The offer belongs to the browser's current
     * token, because another tab may sign in with the same token at this moment.
     */
    async begin(session: Session, tokenHash: string, to: Subject): Promise<void> {
      const expiresAt = Math.min(session.expiresAt, now() + offerMs);
      await settle({ subjectId: session.subjectId, sessionId: session.id }, to, { tokenHash, expiresAt });
    },

    /** To be called when a browser with an offer signs in again. The offer ends when another customer signs in. */
    async resume(tokenHash: string, to: Subject): Promise<void> {
      const offer = await offers.to(tokenHash);
      if (!offer) return;
      await settle(offer.source, to);
      if (offer.toId !== to.id) await offers.forget(offer.source);
    },

    carry: offers.carry,

    /**
     * The number of tickets that the customer of each of these sessions may add. Sessions without an offer are left
     * out.
     */
    async count(sessionIds: readonly string[]): Promise<Map<string, number>> {
      const counts = new Map<string, number>();
      for (const [sessionId, offer] of await offers.inSessions(sessionIds))
        counts.set(sessionId, await countLeft(store, offer.source, offer.toId, await isShared(offer.source)));
      return counts;
    },

    /** The customer accepts the offer. Does nothing without an offer. */
    async accept(sessionId: string, to: Subject): Promise<void> {
      const offer = await offers.in(sessionId);
      if (!offer) return;
      const keepSource = await isShared(offer.source);
      await inTransaction(store, async (trx) => {
        await transferTickets(offer.source, to, { keepSource }, trx);
        await ownership.trust(to, trx);
        await offers.forget(offer.source, trx);
      });
    },

    /** Withdraws the offer to the browser with this token. */
    async decline(tokenHash: string): Promise<void> {
      const offer = await offers.to(tokenHash);
      if (offer) await offers.forget(offer.source);
    },

    /** Moves everything of another subject of the same customer, including its offers. */
    async merge(subjectId: string, to: Subject): Promise<void> {
      await inTransaction(store, async (trx) => {
        await offers.readdress(subjectId, to.id, trx);
        await transferTickets({ subjectId }, to, { keepSource: false }, trx);
      });
    },
  };
}

export type Transfers = ReturnType<typeof createTransfers>;
