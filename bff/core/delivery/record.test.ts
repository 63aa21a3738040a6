import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../store/open.ts';
import { addSubject, createTestLedger, newTicket, testSession } from '../../testing/delivery/ledger.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import type { Ledger } from './ledger.ts';

const at = Date.UTC(2026, 0, 1);

let store: Store;
let ledger: Ledger;
beforeEach(async () => {
  store = await openTestStore();
  ledger = createTestLedger({ store, leaseMs: 30_000, now: () => at, elapsed: () => 0 });
  await addSubject(store);
});
afterEach(() => store.destroy());

it('a send is recorded as accepted and due, without an attempt or a lease', async () => {
  const { row, isNew } = await ledger.record(testSession, randomUUID(), newTicket);
  expect(isNew).toBe(true);
  expect(row).toMatchObject({
    state: 'accepted',
    attempts: 0,
    due_at: at,
    started_at: null,
    lease_until: null,
  });
});

it('a known key returns the send that was recorded under it', async () => {
  const key = randomUUID();
  const { row } = await ledger.record(testSession, key, newTicket);
  expect(await ledger.record(testSession, key, newTicket)).toEqual({ row, isNew: false });
  expect(await store.selectFrom('operations').select('id').execute()).toHaveLength(1);
});

it('a first ticket is recorded with its new sender', async () => {
  const subject = store
    .insertInto('subjects')
    .values({ id: 'new', verified: 0, created_at: at })
    .returning('id')
    .compile();
  const session = store
    .insertInto('sessions')
    .values({ id: 'new', subject_id: 'new', token_hash: 'hash', created_at: at, idle_ms: 1, expires_at: at })
    .returning('id')
    .compile();
  const sender = { ...testSession, subjectId: 'new' };
  await ledger.record(sender, randomUUID(), newTicket, { sender: { subject, session } });
  for (const table of ['operations', 'sessions'] as const)
    expect(await store.selectFrom(table).select('subject_id').execute()).toEqual([{ subject_id: 'new' }]);
});
