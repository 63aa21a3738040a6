import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { addTickets, identify, idsOf, signedIn, withIdentity } from '../../testing/identity.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff(withIdentity);
});
afterEach(() => bff.stop());

const countOf = async (table: 'subjects' | 'sessions' | 'tickets' | 'operations' | 'grants') =>
  (await bff.store.selectFrom(table).selectAll().execute()).length;

describe('forgetting an address', () => {
  it('removes customers who have proven it and who only typed it, and nobody else [storage-17]', async () => {
    const [visitor, owner, other] = [bff.browser(), await signedIn(bff, ada), await signedIn(bff, bob)];
    await visitor.openTicket({ customer_email: ada });
    await owner.openTicket();
    const { data } = await other.openTicket();
    // The address is neither proven nor that of a ticket. Only the sealed contact has it.
    await identify(bff.browser(), ada, { sub: 'another account', email_verified: false });
    expect(await bff.operatorData.forget('ADA@Example.com', 'keep')).toEqual({
      customers: 3,
      tickets: 2,
      undelivered: 0,
    });
    for (const browser of [visitor, owner]) expect((await browser.get(paths.tickets)).status).toBe(401);
    expect(await idsOf(other)).toEqual([data.id]);
    expect(await Promise.all([countOf('subjects'), countOf('tickets'), countOf('operations')])).toEqual([
      1, 1, 1,
    ]);
  });

  it('removes a ticket that was opened under it by a customer who has proven another address since', async () => {
    const browser = bff.browser();
    await browser.openTicket({ customer_email: ada });
    await identify(browser, bob);
    await addTickets(browser);
    const { data } = await browser.openTicket();
    expect(await bff.operatorData.forget(ada, 'keep')).toMatchObject({ customers: 0, tickets: 1 });
    expect(await idsOf(browser)).toEqual([data.id]);
  });

  it('removes nothing while something is to be delivered, unless it is told to drop that', async () => {
    const browser = bff.browser();
    const key = randomUUID();
    await bff.worker.stop();
    await browser.openTicket({}, key);
    await browser.post(paths.messages(key), { body: 'And one more thing' });
    expect(await bff.operatorData.forget(ada, 'keep')).toEqual({ customers: 0, tickets: 0, undelivered: 1 });
    expect(await countOf('operations')).toBe(2);
    expect(await bff.operatorData.forget(ada, 'drop')).toMatchObject({ customers: 1, undelivered: 0 });
    expect([await countOf('operations'), await countOf('subjects')]).toEqual([0, 0]);
    await bff.worker.start();
    expect(bff.service.writes()).toEqual([]);
  });

  it('answers null for an invalid address', async () => {
    expect(await bff.operatorData.forget('ada', 'keep')).toBeNull();
  });
});

describe('exporting an address', () => {
  it('answers the stored data of all customers with the address, and what others opened under it', async () => {
    const [visitor, owner, moved] = [bff.browser(), await signedIn(bff, ada), bff.browser()];
    await visitor.openTicket({ customer_email: ada, subject: 'Typed' });
    await owner.openTicket({ subject: 'Proven' });
    await moved.openTicket({ customer_email: ada, subject: 'By Bob' });
    await identify(moved, bob);
    await addTickets(moved);
    const found = (await bff.operatorData.export(ada))!;
    expect(found).toMatchObject({ version: 1, address: ada });
    expect(new Set(found.customers.map(({ verified }) => verified))).toEqual(new Set([false, true]));
    expect(found.opened_by_others).toEqual([
      expect.objectContaining({ content: expect.objectContaining({ subject: 'By Bob' }) }),
    ]);
    expect(JSON.stringify(found)).not.toMatch(/hash|token|sealed|fingerprint/);
  });

  it('answers nothing for an unknown address', async () => {
    expect(await bff.operatorData.export(ada)).toMatchObject({ customers: [], opened_by_others: [] });
  });
});
