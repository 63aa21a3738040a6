import { createLedger, type LedgerDeps } from '../../core/delivery/ledger.ts';
import type { Session } from '../../core/identity/sessions.ts';
import type { Store } from '../../core/store/open.ts';
import { createSeal } from '../../core/store/seal.ts';
import { createGrants } from '../../core/tickets/grants.ts';
import { createTicketRecords } from '../../core/tickets/ticket-records.ts';

type TestLedgerDeps = Omit<LedgerDeps, 'grants' | 'ticketRecords' | 'seal' | 'settleMs'> &
  Partial<Pick<LedgerDeps, 'seal' | 'settleMs'>>;

export const testSeal = createSeal('a secret of more than thirty-two characters');

/** A ledger with the real grants and ticket records on the same store. */
export function createTestLedger(given: TestLedgerDeps) {
  const deps = { seal: testSeal, settleMs: 600_000, ...given };
  const { store, seal, now } = deps;
  const grants = createGrants({ store, now });
  return createLedger({ ...deps, grants, ticketRecords: createTicketRecords({ store, seal, now }) });
}

/** The session of `addSubject`'s default subject. */
export const testSession = { id: 'session', subjectId: 'subject' } as Session;

export const newTicket = {
  kind: 'ticket',
  payload: { subject: 'Lid', description: 'Chipped', customer_email: 'ada@example.com' },
} as const;

/** For the ticket of `addTicket`. */
export const newReply = { kind: 'message', to: { ticketId: 't1' }, payload: { body: 'Hello' } } as const;

export async function addSubject(
  store: Store,
  { id = testSession.subjectId, addressHash = null as string | null } = {},
): Promise<void> {
  const verified = addressHash === null ? 0 : 1;
  await store
    .insertInto('subjects')
    .values({ id, verified, address_hash: addressHash, created_at: 0 })
    .execute();
}

export async function addTicket(store: Store, id = 't1'): Promise<void> {
  const facts = { facts_sealed: '', agent_count: 0, closed: 0, read_at: 0 };
  await store
    .insertInto('tickets')
    .values({ id, ...facts })
    .execute();
}

/** Grants `addSubject`'s default subject a ticket. */
export async function addGrant(store: Store, ticketId = 't1'): Promise<void> {
  const { subjectId } = testSession;
  await store
    .insertInto('grants')
    .values({ subject_id: subjectId, ticket_id: ticketId, created_at: 0 })
    .execute();
}
