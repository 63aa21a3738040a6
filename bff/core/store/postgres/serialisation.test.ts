import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../../testing/bff.ts';
import type { TestBrowser } from '../../../testing/browser.ts';
import { claim, identify, idsOf, signedIn, withIdentity } from '../../../testing/identity.ts';
import { databaseOf } from '../../../testing/store/test-store.ts';

/** On SQLite, a single writer guarantees all this. Here another instance pauses in the middle of its transaction. */
let bff: TestBff;
let another: pg.Client;
beforeEach(async () => {
  const dataDir = randomUUID();
  bff = await startBff({ dataDir, ...withIdentity });
  another = new pg.Client({ connectionString: await databaseOf(dataDir) });
  await another.connect();
  await another.query('begin');
});
afterEach(async () => {
  await another.end();
  await bff.stop();
});

const run = (text: string, ...values: unknown[]) => another.query(text, values);
const email = 'ada@example.com';

/** Starts `work`, and lets the other instance commit once `work` waits for it. Returns the result of `work`. */
async function waitingFor<Result>(work: () => Promise<Result>): Promise<Result> {
  const [{ pid }] = (await run('select pg_backend_pid() as pid')).rows;
  const result = work();
  for (let isWaiting = false; !isWaiting; await setImmediate()) {
    const { rows } =
      await sql`select 1 from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`.execute(bff.store);
    isWaiting = rows.length > 0;
  }
  await run('commit');
  return result;
}

async function openTicket(browser: TestBrowser): Promise<string> {
  return (await browser.openTicket({ customer_email: email })).data.id;
}

const accepted = async (ticketId: string) => {
  const row = await bff.store
    .selectFrom('operations')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .executeTakeFirstOrThrow();
  const session = { id: row.session_id, subjectId: row.subject_id, expiresAt: Infinity };
  const to = { ticketId };
  return bff.ledger.record(session, randomUUID(), { kind: 'message', to, payload: { body: 'Hello?' } });
};
const attempt = { seen_ids: '[]', started_there: null, with_ref: 1 };

describe('a send', () => {
  it('does not begin while another instance begins one of the same ticket', async () => {
    const ticketId = await openTicket(bff.browser());
    // The worker could find the next accepted send, and send it.
    await bff.worker.stop();
    const [{ row: first }, { row: second }] = [await accepted(ticketId), await accepted(ticketId)];
    // Restores the state before it was accepted, as the other instance saw it.
    await run(`update operations set state = 'sending', due_at = null where id = $1`, second.id);
    expect(await waitingFor(() => bff.ledger.claim(first, attempt))).toBeNull();
  });

  it('does not begin once another instance has revoked the right to the ticket', async () => {
    const ticketId = await openTicket(bff.browser());
    const { row } = await accepted(ticketId);
    await run('delete from grants where ticket_id = $1', ticketId);
    expect(await waitingFor(() => bff.ledger.claim(row, attempt))).toBeNull();
    await bff.ledger.move(row, { type: 'revoked' });
    // The worker may have been faster.
    await expect.poll(async () => (await bff.operations.byId(row.id))?.state).toBe('rejected');
  });

  it('to a ticket that another instance records as opened is addressed to it', async () => {
    const ticketId = await openTicket(bff.browser());
    const { id, session_id, subject_id } = await bff.store
      .updateTable('operations')
      .set({ ticket_id: null })
      .returningAll()
      .executeTakeFirstOrThrow();
    await run('update operations set ticket_id = $1 where id = $2', ticketId, id);
    await run('update operations set ticket_id = $1 where opened_by = $2', ticketId, id);
    const session = { id: session_id, subjectId: subject_id, expiresAt: Infinity };
    const payload = { body: 'Hello?' };
    const { row } = await waitingFor(() =>
      bff.ledger.record(session, randomUUID(), { kind: 'message', to: { openedBy: id }, payload }),
    );
    expect(row.ticket_id).toBe(ticketId);
  });

  it('under a key that another instance records is the same send', async () => {
    const browser = bff.browser();
    const ticketId = await openTicket(browser);
    const key = randomUUID();
    const body = { body: 'Hello?' };
    await browser.post(paths.messages(ticketId), body, key);
    const [row] = (await run('delete from operations where key = $1 returning *', key)).rows;
    await run('commit');
    await run('begin');
    const columns = Object.keys(row);
    await another.query(
      `insert into operations (${columns.join(', ')}) values (${columns.map((_, nth) => `$${nth + 1}`).join(', ')})`,
      Object.values(row),
    );
    const answer = await waitingFor(() => browser.post(paths.messages(ticketId), body, key));
    expect([answer.status, answer.data.id]).toEqual([201, row.upstream_id]);
    expect(bff.service.writes()).toHaveLength(2);
  });
});

describe('a ticket', () => {
  it('that another instance gives to the owner of the address is not claimed a second time', async () => {
    const ticketId = await openTicket(bff.browser());
    const ada = await signedIn(bff, email);
    await run('select id from tickets where id = $1 for update', ticketId);
    await run('update operations set owned = 1');
    await waitingFor(() => claim(ada));
    expect(await idsOf(ada)).toEqual([]);
  });

  it('that another instance takes from a visitor does not come back by their sign-in', async () => {
    const visitor = bff.browser();
    const ticketId = await openTicket(visitor);
    await run('select id from tickets where id = $1 for update', ticketId);
    await run('delete from grants where ticket_id = $1', ticketId);
    await waitingFor(() => identify(visitor, email));
    expect(await idsOf(visitor)).toEqual([]);
  });
});
