import { randomUUID } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../store/open.ts';
import type { OperationRow } from '../store/schema.ts';
import { isOnPostgres, openTestStore } from '../../testing/store/test-store.ts';
import {
  addGrant,
  addSubject,
  addTicket,
  createTestLedger,
  testSession,
} from '../../testing/delivery/ledger.ts';
import { createQueue, isUntriedAndDue } from './due.ts';

const leaseMs = 30_000;
const attempt = { seenIds: [], startedThere: null, hasRef: true };

let store: Store;
let now: number;
let elapsed: number;
/** Two processes on one store. */
let one: ReturnType<typeof process>;
let two: ReturnType<typeof process>;

function process() {
  const deps = { store, now: () => now, elapsed: () => elapsed };
  return { ledger: createTestLedger({ ...deps, leaseMs }), queue: createQueue(deps) };
}

beforeEach(async () => {
  store = await openTestStore();
  now = Date.UTC(2026, 0, 1);
  elapsed = 0;
  [one, two] = [process(), process()];
  await addSubject(store);
  await addSubject(store, { id: 'customer' });
  for (const id of ['t1', 't2']) {
    await addTicket(store, id);
    await addGrant(store, id);
  }
});
afterEach(() => store.destroy());

function pass(ms: number): void {
  now += ms;
  elapsed += ms;
}

const accept = async (...send: Parameters<typeof one.ledger.record>) =>
  (await one.ledger.record(...send)).row;
const reply = (body: string, ticketId = 't1') =>
  accept(testSession, randomUUID(), { kind: 'message', to: { ticketId }, payload: { body } });
const ticket = (subject: string) =>
  accept(testSession, randomUUID(), {
    kind: 'ticket',
    payload: { subject, description: 'Text', customer_email: 'ada@example.com' },
  });
const due = async (at = one) => (await at.queue.poll(now, 10)).due.map(({ id }) => id);
const facts = {
  ticket_number: 1,
  subject: 'Lid',
  status: 'new',
  priority: null,
  created_at: null,
  updated_at: null,
  preview: null,
};

describe('of two processes', () => {
  it('only one sends an operation [delivery-12]', async () => {
    const row = await reply('Hello');
    const taken = await Promise.all([one, two].map(({ ledger }) => ledger.claim(row, attempt)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await due(two)).toEqual([]);
  });

  it('only one settles a send in doubt until its lease has ended', async () => {
    const sending = (await one.ledger.claim(await reply('Hello'), attempt))!;
    const failure = { kind: 'uncertain', reason: 'reset' } as const;
    const unknown = (await one.ledger.move(sending, { type: 'failed', failure }))!;
    pass(1_000);
    const taken = await Promise.all([one, two].map(({ ledger }) => ledger.lease(unknown)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await due(two)).toEqual([]);
    expect(await two.queue.poll(now, 10)).toMatchObject({ hasAbandoned: false, nextAt: now + leaseMs });
    pass(leaseMs);
    expect(await due(two)).toEqual([unknown.id]);
  });

  it('only one sends to a ticket at a time [delivery-17]', async () => {
    const [first, second] = [await reply('One'), await reply('Two')];
    expect(await one.ledger.claim(first, attempt)).not.toBeNull();
    expect(await two.ledger.claim(second, attempt)).toBeNull();
    const other = await reply('Elsewhere', 't2');
    expect(await two.ledger.claim(other, attempt)).not.toBeNull();
  });

  it('only one of many sends to a ticket begins, though all are claimed at once', async () => {
    const rows = await Promise.all(['One', 'Two', 'Three', 'Four'].map((body) => reply(body)));
    const taken = await Promise.all(rows.map((row, n) => [one, two][n % 2]!.ledger.claim(row, attempt)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('neither sends a reply while an earlier reply to the same ticket waits', async () => {
    const [first, second] = [await reply('One'), await reply('Two')];
    expect(await two.ledger.claim(second, attempt)).toBeNull();
    await one.ledger.move(first, { type: 'given_up', reason: 'invalid_request' });
    expect(await two.ledger.claim(second, attempt)).not.toBeNull();
  });

  it('the one whose lease has ended can no longer record an outcome [delivery-13]', async () => {
    const sending = (await one.ledger.claim(await reply('Hello'), attempt))!;
    expect(await two.queue.abandoned(now)).toEqual([]);
    pass(leaseMs);
    const [stranded] = await two.queue.abandoned(now);
    const unknown = (await two.ledger.move(stranded!, { type: 'abandoned' }))!;
    expect(unknown.state).toBe('unknown');
    expect(await one.ledger.complete(sending, 'confirmed', { id: 'm1', facts: null })).toBeNull();
    expect(await one.ledger.move(sending, { type: 'failed', failure: { kind: 'not_connected' } })).toBeNull();
    expect(await two.ledger.complete(unknown, 'found', { id: 'm1', facts: null })).toMatchObject({
      state: 'done',
    });
  });
});

it('a claim records the attempt, and whether the sender has proven the address', async () => {
  const sent = { subject: 'Lid', description: 'Text', customer_email: 'ada@example.com' };
  const openedUnder = { email: sent.customer_email, addressHash: 'hash', isProven: true };
  const open = async (addressHash: string) => {
    const options = { openedUnder: { ...openedUnder, addressHash } };
    const row = await accept(testSession, randomUUID(), { kind: 'ticket', payload: sent }, options);
    return one.ledger.claim(row, { seenIds: ['m1'], startedThere: now + 5, hasRef: true });
  };
  const owner = { verified: 1, address_hash: 'hash' };
  await store.updateTable('subjects').set(owner).where('id', '=', testSession.subjectId).execute();
  expect(await open('hash')).toMatchObject({
    state: 'sending',
    attempts: 1,
    due_at: null,
    started_at: now,
    started_there: now + 5,
    seen_ids: '["m1"]',
    with_ref: 1,
    lease_until: now + leaseMs,
    leasedSince: elapsed,
    isProven: true,
  });
  expect(await open('other')).toMatchObject({ isProven: false });
});

describe('an id of the service', () => {
  it('belongs to one operation only [delivery-16]', async () => {
    const rows = [await reply('Same', 't1'), await reply('Same', 't1')];
    const done = [];
    for (const row of rows) {
      const sending = (await one.ledger.claim(row, attempt))!;
      done.push(await one.ledger.complete(sending, 'confirmed', { id: 'm1', facts: null }));
    }
    expect(done.map((row) => row?.state)).toEqual(['done', undefined]);
  });
});

it('two tickets can have messages with the same id', async () => {
  for (const row of [await reply('One', 't1'), await reply('Two', 't2')]) {
    const sending = (await one.ledger.claim(row, attempt))!;
    expect((await one.ledger.complete(sending, 'confirmed', { id: '1', facts: null }))?.state).toBe('done');
  }
});

describe('a message', () => {
  it('whose sender has no grant for the ticket is refused, and not sent [delivery-22]', async () => {
    const row = await reply('Hello', 't3');
    expect(await one.ledger.claim(row, attempt)).toBeNull();
    expect(await one.ledger.revoke(row)).toMatchObject({ state: 'rejected', error: 'not_found' });
  });

  it('is sent though its sender has become another customer meanwhile', async () => {
    const row = await reply('Hello');
    const signedIn = { subject_id: 'customer' };
    await store.updateTable('grants').set(signedIn).execute();
    await store.updateTable('operations').set(signedIn).execute();
    expect(await one.ledger.revoke(row)).toBeNull();
    expect(await one.ledger.claim(row, attempt)).toMatchObject({ state: 'sending' });
  });
});

describe('after the clock is set', () => {
  const hourMs = 3_600_000;
  const lost = { kind: 'uncertain', reason: 'reset' } as const;
  const absentAt = ({ ledger }: typeof one, row: OperationRow) =>
    ({ type: 'absent', proves: true, ageMs: ledger.attemptAgeMs(row) }) as const;

  it('ahead, a send that another process still makes is in doubt, and is sent again only after the settle time [delivery-28]', async () => {
    const sending = (await one.ledger.claim(await reply('Hello'), attempt))!;
    now += 2 * hourMs;
    const [stranded] = await two.queue.abandoned(now);
    let unknown = (await two.ledger.move(stranded!, { type: 'abandoned' }))!;
    expect(unknown.state).toBe('unknown');
    expect(await one.ledger.complete(sending, 'confirmed', { id: 'm1', facts: null })).toBeNull();
    pass(599_000);
    unknown = (await two.ledger.move(unknown, absentAt(two, unknown)))!;
    expect(unknown).toMatchObject({ state: 'unknown', due_at: now + 1_000 });
    pass(1_000);
    expect(await two.ledger.move(unknown, absentAt(two, unknown))).toMatchObject({ state: 'accepted' });
  });

  it('ahead over a restart, the age of an attempt counts as far as it was measured before', async () => {
    const sending = (await one.ledger.claim(await reply('Hello'), attempt))!;
    let unknown = (await one.ledger.move(sending, { type: 'failed', failure: lost }))!;
    pass(400_000);
    unknown = (await one.ledger.move(unknown, absentAt(one, unknown)))!;
    expect(unknown.attempt_age_ms).toBe(400_000);
    now += 2 * hourMs;
    const next = process();
    unknown = (await next.ledger.move(unknown, absentAt(next, unknown)))!;
    pass(199_999);
    unknown = (await next.ledger.move(unknown, absentAt(next, unknown)))!;
    expect(unknown.state).toBe('unknown');
    pass(1);
    expect(await next.ledger.move(unknown, absentAt(next, unknown))).toMatchObject({ state: 'accepted' });
  });

  it('back, a send that waits for a later time is due at once', async () => {
    const sending = (await one.ledger.claim(await reply('Hello'), attempt))!;
    const waiting = (await one.ledger.move(sending, { type: 'failed', failure: lost }))!;
    const undecided = await reply('Mine to decide', 't2');
    const later = store.updateTable('operations').set({ due_at: null });
    await later.where('id', '=', undecided.id).execute();
    now -= 2 * hourMs;
    expect(await due()).toEqual([]);
    await one.ledger.bringForward();
    expect(await due()).toEqual([waiting.id]);
  });

  it('back, a lease lasts no longer than one that is taken now', async () => {
    const row = await reply('Hello');
    await one.ledger.claim(row, attempt);
    now -= 2 * hourMs;
    await two.ledger.bringForward();
    expect(await two.queue.abandoned(now + leaseMs - 1)).toEqual([]);
    expect(await two.queue.abandoned(now + leaseMs)).toMatchObject([{ id: row.id }]);
  });

  it('back while no process ran, earlier leases end at the start', async () => {
    const row = await reply('Hello');
    await one.ledger.claim(row, attempt);
    now -= 2 * hourMs;
    await two.ledger.release(now);
    expect(await two.queue.abandoned(now)).toMatchObject([{ id: row.id }]);
  });
});

it('a release ends the leases from before a moment, and no later ones', async () => {
  await one.ledger.claim(await reply('Before'), attempt);
  pass(1_000);
  await two.ledger.claim(await reply('Since', 't2'), attempt);
  await two.ledger.release(now - 1);
  expect((await two.queue.abandoned(now)).map(({ started_at }) => started_at)).toEqual([now - 1_000]);
});

describe('two tickets with the same text', () => {
  it('without a ref are sent one after the other, the second once the first is settled [delivery-21]', async () => {
    const [first, second] = [await ticket('Lid'), await ticket('Lid')];
    const bare = { ...attempt, hasRef: false };
    const sending = (await one.ledger.claim(first, bare))!;
    expect(await two.ledger.claim(second, bare)).toBeNull();
    const failure = { kind: 'uncertain', reason: 'reset' } as const;
    const unknown = (await one.ledger.move(sending, { type: 'failed', failure }))!;
    pass(1_000);
    expect(await due()).toEqual([first.id]);
    await one.ledger.complete(unknown, 'found', { id: 't9', facts });
    expect(await due()).toEqual([second.id]);
  });

  it('with a ref are sent at the same time', async () => {
    const [first, second] = [await ticket('Lid'), await ticket('Lid')];
    await one.ledger.claim(first, attempt);
    expect(await two.ledger.claim(second, attempt)).toMatchObject({ state: 'sending' });
  });
});

it('two messages with the same text in different tickets are sent at the same time', async () => {
  const [mine, theirs] = [await reply('Hello?', 't1'), await reply('Hello?', 't2')];
  const bare = { ...attempt, hasRef: false };
  await one.ledger.claim(mine, bare);
  expect(await due()).toEqual([theirs.id]);
  expect(await one.ledger.claim(theirs, bare)).toMatchObject({ state: 'sending' });
});

describe('a send', () => {
  it('is known to be new, and needs no read, when it was just accepted', async () => {
    expect(isUntriedAndDue(await ticket('Lid'), now)).toBe(true);
    expect(isUntriedAndDue(await reply('Hello'), now)).toBe(true);
  });

  it.each([
    ['is left to its customer', { due_at: null }],
    ['waits for a later time', { due_at: Date.UTC(2027, 0, 1) }],
    ['was tried before', { attempts: 1 }],
    ['has an end', { state: 'rejected' }],
    ['waits for its ticket', { ticket_id: null }],
  ] as const)('is not new, and waits until it is found due, when it %s', async (_, change) => {
    expect(isUntriedAndDue({ ...(await reply('Hello')), ...change }, now)).toBe(false);
  });
});

describe('a reply to a ticket without an id', () => {
  const answer = async (openedBy: string, body: string) =>
    accept(testSession, randomUUID(), { kind: 'message', to: { openedBy }, payload: { body } });

  it('waits until its ticket exists, then is sent in order [delivery-19]', async () => {
    const opening = await ticket('Lid');
    const [first, second] = [await answer(opening.id, 'One'), await answer(opening.id, 'Two')];
    expect(await due()).toEqual([opening.id]);
    const sending = (await one.ledger.claim(opening, attempt))!;
    await one.ledger.complete(sending, 'confirmed', { id: 't9', facts });
    expect(await due()).toEqual([first.id]);
    const [begun] = (await one.queue.poll(now, 1)).due;
    const sent = (await one.ledger.claim(begun!, attempt))!;
    expect(sent.ticket_id).toBe('t9');
    await one.ledger.complete(sent, 'confirmed', { id: 'm1', facts: null });
    expect(await due()).toEqual([second.id]);
  });

  it('is addressed to the ticket at once if that has received its id meanwhile', async () => {
    const opening = await ticket('Lid');
    const sending = (await one.ledger.claim(opening, attempt))!;
    await one.ledger.complete(sending, 'confirmed', { id: 't9', facts });
    expect((await answer(opening.id, 'One')).ticket_id).toBe('t9');
  });

  it('becomes due when its ticket was refused, and is refused too [delivery-20]', async () => {
    const opening = await ticket('Lid');
    const held = await answer(opening.id, 'One');
    const sending = (await one.ledger.claim(opening, attempt))!;
    await one.ledger.move(sending, { type: 'failed', failure: { kind: 'refused', status: 422 } });
    expect(await due()).toEqual([held.id]);
  });

  it('is the same request under its key before and after its ticket has an id', async () => {
    const opening = await ticket('Lid');
    const key = randomUUID();
    const send = (to: { openedBy: string } | { ticketId: string }) =>
      accept(testSession, key, { kind: 'message', to, payload: { body: 'One' } });
    const held = await send({ openedBy: opening.id });
    const sending = (await one.ledger.claim(opening, attempt))!;
    await one.ledger.complete(sending, 'confirmed', { id: 't9', facts });
    expect((await send({ ticketId: 't9' })).id).toBe(held.id);
    expect((await send({ openedBy: opening.id })).id).toBe(held.id);
    await expect(send({ ticketId: 't8' })).rejects.toMatchObject({ status: 422 });
  });
});

describe('sends of one moment', () => {
  it('are recorded, claimed and completed in their order, each with its own values', async () => {
    const all = [reply('One'), reply('Two', 't2'), ticket('Three'), reply('Four')];
    const rows = await Promise.all(all);
    expect(rows.map(({ kind, ticket_id }) => [kind, ticket_id])).toEqual([
      ['message', 't1'],
      ['message', 't2'],
      ['ticket', null],
      ['message', 't1'],
    ]);
    expect(rows.toSorted((a, b) => a.seq - b.seq)).toEqual(rows);
    const claimed = await Promise.all(rows.map((row) => one.ledger.claim(row, attempt)));
    // The last one waits for the first of its ticket.
    expect(claimed.map((row) => row && [row.id, row.with_ref])).toEqual([
      [rows[0]!.id, null],
      [rows[1]!.id, null],
      [rows[2]!.id, 1],
      null,
    ]);
    const done = await Promise.all(
      claimed
        .slice(0, 2)
        .map((row, n) => one.ledger.complete(row!, 'confirmed', { id: `m${n}`, facts: null })),
    );
    expect(done.map((row) => [row?.state, row?.upstream_id, row?.payload_sealed])).toEqual([
      ['done', 'm0', rows[0]!.payload_sealed],
      ['done', 'm1', rows[1]!.payload_sealed],
    ]);
  });

  it.runIf(isOnPostgres)('take one statement of the server for each step', async () => {
    const asked = vi.spyOn(pg.Client.prototype as { query: (query: object) => unknown }, 'query');
    const tickets = await Promise.all(['One', 'Two', 'Three'].map(ticket));
    expect(asked).toHaveBeenCalledTimes(1);
    const claimed = await Promise.all(tickets.map((row) => one.ledger.claim(row, attempt)));
    expect(asked).toHaveBeenCalledTimes(2);
    await Promise.all(
      claimed.map((row, n) => one.ledger.complete(row!, 'confirmed', { id: `new${n}`, facts })),
    );
    // Begin and commit, the sends, their tickets, and what follows from these.
    expect(asked).toHaveBeenCalledTimes(2 + 2 + 3);
    asked.mockRestore();
  });

  it.runIf(isOnPostgres)('are found by an index, however large the table is', async () => {
    const asked = vi.spyOn(
      pg.Client.prototype as { query: (query: { text: string; values: unknown[] }) => unknown },
      'query',
    );
    const rows = await Promise.all(['One', 'Two'].map(ticket));
    const claimed = await Promise.all(rows.map((row) => one.ledger.claim(row, attempt)));
    await Promise.all(
      claimed.map((row, n) => one.ledger.complete(row!, 'confirmed', { id: `new${n}`, facts })),
    );
    const writes = asked.mock.calls
      .map(([query]) => query)
      .filter(({ text }) => /^(update|with|insert)/.test(text));
    asked.mockRestore();
    expect(writes).toHaveLength(5);
    const { subject_id, session_id } = rows[0]!;
    await sql`
      insert into operations (id, subject_id, session_id, key, kind, fingerprint, ticket_id, ref, state, attempts,
        created_at, owned, upstream_id)
      select 'id' || n, ${subject_id}, ${session_id}, 'key' || n, 'message', 'hash' || n, 't1', 'ref' || n, 'done', 1,
        1, 0, 'other' || n
      from generate_series(1, 20000) as n`.execute(store);
    await sql`analyze operations`.execute(store);
    for (const { text, values } of writes) {
      const plan = await store.executeQuery(CompiledQuery.raw(`explain ${text}`, values));
      expect(JSON.stringify(plan.rows)).not.toContain('Seq Scan on operations');
    }
  });

  it('of which the store refuses one are recorded without it', async () => {
    const gone = { ...testSession, subjectId: 'nobody' };
    const send = (session: typeof testSession, body: string) =>
      accept(session, randomUUID(), { kind: 'message', to: { ticketId: 't1' }, payload: { body } });
    const recorded = await Promise.allSettled([
      send(testSession, 'One'),
      send(gone, 'Two'),
      send(testSession, 'Three'),
    ]);
    expect(recorded.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('that are the same one are sent once', async () => {
    const row = await reply('One');
    const claimed = await Promise.all([row, row].map((each) => one.ledger.claim(each, attempt)));
    expect(claimed.filter(Boolean)).toHaveLength(1);
  });

  it('of two equal tickets without a ref, one is sent', async () => {
    const rows = await Promise.all([ticket('Same'), ticket('Same')]);
    const withoutRef = { ...attempt, hasRef: false };
    const claimed = await Promise.all(rows.map((row) => one.ledger.claim(row, withoutRef)));
    expect(claimed.filter(Boolean)).toHaveLength(1);
  });

  it('of two with one id of the service, one is completed', async () => {
    const rows = await Promise.all([reply('One'), reply('Two', 't2')]);
    const claimed = await Promise.all(rows.map((row) => one.ledger.claim(row, attempt)));
    const done = await Promise.all(
      claimed.map((row) =>
        one.ledger.complete({ ...row!, ticket_id: 't1' }, 'confirmed', { id: 'm1', facts: null }),
      ),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
  });
});
