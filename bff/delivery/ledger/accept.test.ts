import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Store } from '../../store/open.ts';
import {
  addGrant,
  addSubject,
  addTicket,
  createTestLedger,
  newReply,
  newTicket,
  testSession,
} from '../../testing/delivery/ledger.ts';
import { isOnPostgres, openTestStore } from '../../testing/store/test-store.ts';
import type { AcceptOptions, SendRequest } from './accept.ts';
import { isLeasedHere } from './attempts.ts';
import type { Ledger } from './ledger.ts';

const at = Date.UTC(2026, 0, 1);
const leaseMs = 30_000;
const attempt = { seenIds: ['m1'], startedThere: at + 5, hasRef: true };
const openedUnder = { email: 'ada@example.com', addressHash: 'hash', isProven: true };

let store: Store;
let ledger: Ledger;
beforeEach(async () => {
  store = await openTestStore();
  ledger = createTestLedger({ store, leaseMs, now: () => at, elapsed: () => 7 });
  await addSubject(store, { addressHash: 'hash' });
  await addTicket(store);
});
afterEach(() => store.destroy());

const accept = (request: SendRequest, options: AcceptOptions = {}, key: string = randomUUID()) =>
  ledger.accept(testSession, key, request, { attempt, ...options });

const rows = () => store.selectFrom('operations').selectAll();

/** The state, the number of attempts and the end of the lease. */
async function stateOf(id: string) {
  const row = await rows().where('id', '=', id).executeTakeFirstOrThrow();
  return [row.state, row.attempts, row.lease_until];
}
const leased = ['sending', 1, at + leaseMs];
const onlyRecorded = ['accepted', 0, null];

it('a ticket that is recorded with an attempt is leased for sending in the same write', async () => {
  const { row, isNew } = await accept(newTicket, { openedUnder });
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
  expect(await stateOf(row.id)).toEqual(leased);
});

it('a ticket under an address that its sender has not proven is leased as not proven', async () => {
  const { row } = await accept(newTicket, { openedUnder: { ...openedUnder, addressHash: 'other' } });
  expect(row).toMatchObject({ state: 'sending', isProven: false });
});

it('a reply that is recorded with an attempt is leased if its sender has a grant', async () => {
  await addGrant(store);
  const { row } = await accept(newReply);
  expect(isLeasedHere(row)).toBe(true);
  expect(await stateOf(row.id)).toEqual(leased);
});

it('a reply is recorded but not leased if its sender has no grant [delivery-33]', async () => {
  const { row, isNew } = await accept(newReply);
  expect([isNew, isLeasedHere(row)]).toEqual([true, false]);
  expect(await stateOf(row.id)).toEqual(onlyRecorded);
});

it('a reply is recorded but not leased while an earlier one to its ticket is being sent or waits [delivery-35]', async () => {
  await addGrant(store);
  const first = await accept(newReply);
  const second = await accept(newReply);
  expect([isLeasedHere(first.row), isLeasedHere(second.row)]).toEqual([true, false]);
  await store.updateTable('operations').set({ state: 'done' }).where('id', '=', first.row.id).execute();
  const third = await accept(newReply);
  expect(await stateOf(third.row.id)).toEqual(onlyRecorded);
});

it('of replies to one ticket that are recorded together, one is leased', async () => {
  await addGrant(store);
  const all = await Promise.all(Array.from({ length: 4 }, () => accept(newReply)));
  expect(all.filter(({ row }) => isLeasedHere(row))).toHaveLength(1);
  expect(await rows().execute()).toHaveLength(4);
});

it('of equal tickets without a ref that are recorded together, one is leased [delivery-34]', async () => {
  const withoutRef = { ...attempt, hasRef: false };
  const all = await Promise.all(
    Array.from({ length: 4 }, () => accept(newTicket, { openedUnder, attempt: withoutRef })),
  );
  expect(all.filter(({ row }) => isLeasedHere(row))).toHaveLength(1);
  expect(await rows().execute()).toHaveLength(4);
});

it('a first ticket that cannot be leased is recorded with its new sender', async () => {
  const attempts = { openedUnder, attempt: { ...attempt, hasRef: false } };
  await accept(newTicket, attempts);
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
  const { row } = await ledger.accept({ ...testSession, subjectId: 'new' }, randomUUID(), newTicket, {
    ...attempts,
    sender,
  });
  expect(await stateOf(row.id)).toEqual(onlyRecorded);
  expect(await store.selectFrom('sessions').select('subject_id').execute()).toEqual([{ subject_id: 'new' }]);
});

it('a known key with an attempt returns the operation as it was recorded', async () => {
  const key = randomUUID();
  const { row } = await ledger.accept(testSession, key, newTicket, { openedUnder });
  const repeat = await accept(newTicket, { openedUnder }, key);
  expect([repeat.isNew, repeat.row.id]).toEqual([false, row.id]);
  expect(await stateOf(row.id)).toEqual(onlyRecorded);
});

it.runIf(isOnPostgres)(
  'a reply is recorded but not leased while another process has locked its grant',
  async () => {
    await addGrant(store);
    const { row } = await store.transaction().execute(async (other) => {
      await other.selectFrom('grants').select('ticket_id').forUpdate().execute();
      return accept(newReply);
    });
    expect(await stateOf(row.id)).toEqual(onlyRecorded);
  },
);

it('a send that another process leases a duplicate of at the same moment is recorded but not leased', async () => {
  const duplicate = Object.assign(new Error('duplicate key'), { code: '23505' });
  const execute = vi.spyOn(store, 'executeQuery').mockRejectedValueOnce(duplicate);
  const { row, isNew } = await accept(newTicket, { openedUnder });
  expect([isNew, execute.mock.calls.length]).toEqual([true, 2]);
  expect(await stateOf(row.id)).toEqual(onlyRecorded);
});
