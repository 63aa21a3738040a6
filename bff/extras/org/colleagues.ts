import type { Identity } from '../../core/identity/subjects.ts';
import { lockForShare } from '../../core/store/dialect.ts';
import type { Store } from '../../core/store/open.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import { inTransaction } from '../../core/store/statements/transaction.ts';
import { ticketsOf } from '../../core/tickets/grants.ts';
import type { Core } from '../../core/wiring.ts';

/** A customer may read so many tickets of colleagues, the newest. */
const maxTickets = 200;
/** So many colleagues see a new ticket at once, the others at their next visit. */
const maxToldAtOnce = 100;

/**
 * Lets members of an organisation read each other's tickets. The newest token of a customer decides on membership, and
 * `grants` on access. It knows an organisation by a keyed hash only.
 */
export function createColleagues({
  store,
  seal,
  grants,
  live,
  now,
  report,
}: Pick<Core, 'store' | 'seal' | 'grants' | 'live' | 'now' | 'report'>) {
  const underway = new Set<Promise<void>>();

  function inBackground(work: Promise<void>): void {
    const done = work.catch(report('colleagues_failed')).finally(() => underway.delete(done));
    underway.add(done);
  }

  /** The newest tickets that colleagues of the subject have opened in this organisation and still hold. */
  const ticketsIn = (orgHash: string, subjectId: string, db: Store) =>
    db
      .selectFrom('org_tickets')
      .innerJoin('operations', 'operations.id', 'org_tickets.operation_id')
      .innerJoin('grants', (join) =>
        join
          .onRef('grants.ticket_id', '=', 'operations.ticket_id')
          .onRef('grants.subject_id', '=', 'org_tickets.subject_id')
          .on('grants.colleague', '=', 0),
      )
      .select(['grants.ticket_id as ticketId', 'grants.subject_id as openerId'])
      .where('org_hash', '=', orgHash)
      .where('org_tickets.subject_id', '!=', subjectId)
      .orderBy('operation_id', 'desc')
      .limit(maxTickets)
      .execute();

  /** Gives the subject the tickets of its colleagues, and takes others. Returns whether that is a change. */
  const refresh = (subjectId: string): Promise<boolean> =>
    inTransaction(store, async (trx) => {
      // SECURITY: a token that ends the membership meanwhile waits for this transaction, or this one for it.
      const members = trx.selectFrom('org_members').select(['org_hash', 'sees']);
      const member = await lockForShare(members.where('subject_id', '=', subjectId), trx).executeTakeFirst();
      const orgHash = member?.sees === 1 ? member.org_hash : null;
      const tickets = orgHash === null ? [] : await ticketsIn(orgHash, subjectId, trx);
      return grants.setColleagueTickets(subjectId, tickets, trx);
    });

  async function isReader(subjectId: string): Promise<boolean> {
    const member = await store
      .selectFrom('org_members')
      .select('sees')
      .where('subject_id', '=', subjectId)
      .executeTakeFirst();
    return member?.sees === 1;
  }

  /** Members who may read the tickets of `opening`'s organisation, and have a session. */
  async function readersOf(opening: OperationRow): Promise<string[]> {
    const rows = await store
      .selectFrom('org_tickets')
      .innerJoin('org_members', 'org_members.org_hash', 'org_tickets.org_hash')
      .select('org_members.subject_id')
      .where('operation_id', '=', opening.id)
      .where('sees', '=', 1)
      .whereRef('org_members.subject_id', '!=', 'org_tickets.subject_id')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.subject_id', '=', 'org_members.subject_id')
            .where('expires_at', '>', now()),
        ),
      )
      .limit(maxToldAtOnce)
      .execute();
    return rows.map((row) => row.subject_id);
  }

  async function visited(subjectId: string): Promise<void> {
    // A right may have ended while the store failed.
    const hasOrReads = (await isReader(subjectId)) || (await ticketsOf(subjectId, store, 1)).length > 0;
    if (hasOrReads && (await refresh(subjectId))) live.restart(subjectId);
  }

  async function opened(opening: OperationRow): Promise<void> {
    for (const subjectId of await readersOf(opening))
      if (await refresh(subjectId)) await live.refresh(subjectId, opening.ticket_id!);
  }

  return {
    /**
     * Records what the newest token says, by the time of its issue. An older one changes nothing. A sign-in without a
     * token ends the membership until the next one, since the site has not confirmed it.
     */
    async signedIn(subjectId: string, identity: Identity | null): Promise<void> {
      const said = {
        org_hash: identity?.org ? seal.hash('organisation', identity.org) : null,
        sees: Number(identity?.seesOrg ?? false),
      };
      if (identity) {
        const token_at = Math.floor(identity.issuedAt);
        await store
          .insertInto('org_members')
          .values({ subject_id: subjectId, ...said, token_at })
          .onConflict((conflict) =>
            conflict
              .column('subject_id')
              .doUpdateSet({ ...said, token_at })
              .where('org_members.token_at', '<=', token_at),
          )
          .execute();
      } else await store.updateTable('org_members').set(said).where('subject_id', '=', subjectId).execute();
      await refresh(subjectId);
    },

    /** Records that the send opens a ticket of its sender's organisation, if there is one now. */
    async recordTicket(operationId: string, subjectId: string, db: Store): Promise<void> {
      await db
        .insertInto('org_tickets')
        .columns(['operation_id', 'subject_id', 'org_hash'])
        .expression(({ cast, selectFrom, val }) =>
          selectFrom('org_members')
            .select(({ ref }) => [
              cast<string>(val(operationId), 'text').as('operation_id'),
              'subject_id',
              ref('org_hash').$notNull().as('org_hash'),
            ])
            .where('subject_id', '=', subjectId)
            .where('org_hash', 'is not', null),
        )
        .execute();
    },

    /** A customer looks at their tickets. */
    visited: (subjectId: string): void => inBackground(visited(subjectId)),

    /** A send has changed. Shows a ticket that was just opened to colleagues. */
    changed(row: OperationRow): void {
      if (row.kind === 'ticket' && row.state === 'done') inBackground(opened(row));
    },

    /** Resolves when nothing is underway. */
    async settled(): Promise<void> {
      while (underway.size > 0) await Promise.all(underway);
    },
  };
}
