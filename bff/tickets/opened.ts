import type { Store } from '../store/open.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';

/**
 * Records in `db` that the service holds the ticket that `opening` sent, under its `ticket_id`: what is known of it,
 * its opener's right to it, and the replies that were held until it exists.
 */
export async function recordOpened(
  { seal, now }: { seal: Seal; now: () => number },
  db: Store,
  opening: OperationRow,
  facts: TicketFacts,
): Promise<void> {
  const ticketId = opening.ticket_id!;
  await db
    .insertInto('tickets')
    .values({
      id: ticketId,
      facts_sealed: seal.seal('tickets.facts', facts),
      agent_count: 0,
      closed: 0,
      read_at: now(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  // The customer may have signed in meanwhile: whose it is stands in the row as it is now.
  const holder = await db
    .selectFrom('subjects')
    .select(['id', 'verified', 'address_hash'])
    .where('id', '=', opening.subject_id)
    .executeTakeFirstOrThrow();
  const isTrusted = holder.verified === 1 && holder.address_hash === opening.address_hash;
  await db
    .insertInto('grants')
    .values({ subject_id: holder.id, ticket_id: ticketId, created_at: now(), trusted: isTrusted ? 1 : 0 })
    .execute();
  if (isTrusted) await db.updateTable('operations').set({ owned: 1 }).where('id', '=', opening.id).execute();
  // A reply that another browser of the opener wrote before one of them signed in: it keeps its way in, as with others.
  const others = await db
    .selectFrom('operations')
    .select('subject_id')
    .distinct()
    .where('opened_by', '=', opening.id)
    .where('subject_id', '!=', holder.id)
    .execute();
  for (const { subject_id } of others)
    await db.insertInto('grants').values({ subject_id, ticket_id: ticketId, created_at: now() }).execute();
  await db
    .updateTable('operations')
    .set({ ticket_id: ticketId })
    .where('opened_by', '=', opening.id)
    .execute();
}
