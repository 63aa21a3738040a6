import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Session } from '../../session/sessions.ts';
import { createSeal } from '../../store/seal.ts';
import type { Store } from '../../store/open.ts';
import { createTestLedger } from '../../testing/ledger.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import type { AcceptOptions, SendRequest } from './accept.ts';
import { isSending } from './attempts.ts';
import type { Ledger } from './ledger.ts';

const at = Date.UTC(2026, 0, 1);
const leaseMs = 30_000;
const attempt = { seenIds: ['m1'], startedThere: at + 5, hasRef: true };
const session = { id: 'session', subjectId: 'subject' } as Session;
const openedUnder = { email: 'ada@example.com', addressHash: 'hash', isProven: true };

let store: Store;
let ledger: Ledger;
beforeEach(async () => {
  store = await openTestStore();
  const seal = createSeal('a secret of more than thirty-two characters');
  ledger = createTestLedger({ store, seal, settleMs: 600_000, leaseMs, now: () => at, elapsed: () => 7 });
  const subject = { id: 'subject', verified: 1, address_hash: 'hash', created_at: at };
  await store.insertInto('subjects').values(subject).execute();
  await store
    .insertInto('tickets')
    .values({ id: 't1', facts_sealed: '', agent_count: 0, closed: 0, read_at: at })
    .execute();
});
afterEach(() => store.destroy());

const grant = () =>
  store.insertInto('grants').values({ subject_id: 'subject', ticket_id: 't1', created_at: at }).execute();

const reply = { kind: 'message', to: { ticketId: 't1' }, payload: { body: 'Hello' } } as const;
const ticket = {
  kind: 'ticket',
  payload: { subject: 'Lid', description: 'Chipped', customer_email: 'ada@example.com' },
} as const;

const accept = (request: SendRequest, options: AcceptOptions = {}, key: string = randomUUID()) =>
  ledger.accept(session, key, request, { attempt, ...options });

async function stateOf(id: string) {
  const row = await store.selectFrom('operations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return [row.state, row.attempts, row.lease_until];
}

it('a ticket that is recorded with an attempt is leased for sending in the same write', async () => {
  const { row, isNew } = await accept(ticket, { openedUnder });
  expect(isNew).toBe(true);
  expect(row).toMatchObject({
    state: 'sending',
    attempts: 1,
    due_at: null,
    started_at: at,
    started_there: at + 5,
    seen_ids: '["m1"]',
    with_ref: 1,
    lease_until: at + leaseMs,
    leasedSince: 7,
    isProven: true,
  });
  expect(await stateOf(row.id)).toEqual(['sending', 1, at + leaseMs]);
});

it('a ticket under an address that its sender has not proven is begun as not proven', async () => {
  const { row } = await accept(ticket, { openedUnder: { ...openedUnder, addressHash: 'other' } });
  expect(row).toMatchObject({ state: 'sending', isProven: false });
});

it('a reply that is recorded with an attempt is leased if its sender has a grant', async () => {
  await grant();
  const { row } = await accept(reply);
  expect(isSending(row)).toBe(true);
  expect(await stateOf(row.id)).toEqual(['sending', 1, at + leaseMs]);
});

it('a reply is recorded but not begun if its sender has no grant [delivery-33]', async () => {
  const { row, isNew } = await accept(reply);
  expect([isNew, isSending(row)]).toEqual([true, false]);
  expect(await stateOf(row.id)).toEqual(['accepted', 0, null]);
});

it('a reply is recorded but not begun while an earlier one to its ticket is being sent or waits', async () => {
  await grant();
  const first = await accept(reply);
  const second = await accept(reply);
  expect([isSending(first.row), isSending(second.row)]).toEqual([true, false]);
  await store.updateTable('operations').set({ state: 'done' }).where('id', '=', first.row.id).execute();
  const third = await accept(reply);
  expect(await stateOf(third.row.id)).toEqual(['accepted', 0, null]);
});

it('of replies to one ticket that are recorded together, one is begun', async () => {
  await grant();
  const all = await Promise.all(Array.from({ length: 4 }, () => accept(reply)));
  expect(all.filter(({ row }) => isSending(row))).toHaveLength(1);
  expect(await store.selectFrom('operations').select('id').execute()).toHaveLength(4);
});

it('of equal tickets without a ref that are recorded together, one is begun [delivery-34]', async () => {
  const withoutRef = { ...attempt, hasRef: false };
  const all = await Promise.all(
    Array.from({ length: 4 }, () => accept(ticket, { openedUnder, attempt: withoutRef })),
  );
  expect(all.filter(({ row }) => isSending(row))).toHaveLength(1);
  expect(await store.selectFrom('operations').select('id').execute()).toHaveLength(4);
});

it('a first ticket that cannot be begun is recorded with its new sender', async () => {
  const attempts = { openedUnder, attempt: { ...attempt, hasRef: false } };
  await accept(ticket, attempts);
  const subject = store
    .insertInto('subjects')
    .values({ id: 'new', verified: 0, created_at: at })
    .returning('id')
    .compile();
  const newSession = store
    .insertInto('sessions')
    .values({ id: 'new', subject_id: 'new', token_hash: 'hash', created_at: at, idle_ms: 1, expires_at: at })
    .returning('id')
    .compile();
  const sender = { subject, session: newSession };
  const { row } = await ledger.accept({ ...session, subjectId: 'new' }, randomUUID(), ticket, {
    ...attempts,
    sender,
  });
  expect(await stateOf(row.id)).toEqual(['accepted', 0, null]);
  expect(await store.selectFrom('sessions').select('subject_id').execute()).toEqual([{ subject_id: 'new' }]);
});

it('a known key with an attempt returns the operation as it is, and does not begin it', async () => {
  const key = randomUUID();
  const { row } = await accept(ticket, { openedUnder }, key);
  const repeat = await accept(ticket, { openedUnder }, key);
  expect([repeat.isNew, repeat.row.id, isSending(repeat.row)]).toEqual([false, row.id, false]);
});
