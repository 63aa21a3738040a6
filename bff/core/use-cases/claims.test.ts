import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { addTickets, claim, identify, idsOf, signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';

const hourMs = 3_600_000;
const ada = 'ada@example.com';

let bff: TestBff;
let streams: TestStreams;
beforeEach(async () => {
  bff = await startBff(withIdentity);
  streams = await startStreams(bff);
});
afterEach(() => bff.stop());

describe('tickets that another browser opened under an address', () => {
  it('are not listed with the address, but offered to its owner only [isolation-14]', async () => {
    const stranger = bff.browser();
    const { data: ticket } = await stranger.openTicket();
    const owner = await signedIn(bff, ada);
    expect(await idsOf(owner)).toEqual([]);
    expect((await owner.get(paths.session)).data.claimable).toBe(1);
    expect((await (await signedIn(bff, 'bob@example.com')).get(paths.session)).data.claimable).toBe(0);
    expect((await claim(owner)).data.claimable).toBe(0);
    expect(await idsOf(owner)).toEqual([ticket.id]);
  });

  it('are lost to the browser that opened them once they are claimed, and its streams end at once [isolation-11]', async () => {
    const stranger = bff.browser();
    const { data: ticket } = await stranger.openTicket();
    const stream = await streams.listen(stranger.cookie, ticket.id);
    const owner = await signedIn(bff, ada);
    await claim(owner);
    await stream.ended;
    bff.service.addMessage(ticket.id, 'agent', 'For the owner only');
    const again = await streams.listen(stranger.cookie, ticket.id);
    expect(again.of('sync')[0]).toMatchObject({ thread: null, tickets: [] });
    await until(async () =>
      expect((await owner.get(paths.ticket(ticket.id))).text).toContain('For the owner only'),
    );
    expect(JSON.stringify([...stream.seen, ...again.seen])).not.toContain('For the owner only');
  });

  it('are reported as moved to the browser that opened them once they are claimed, until it has read that or signs in', async () => {
    const [stranger, other, bystander] = [bff.browser(), bff.browser(), bff.browser()];
    for (const browser of [stranger, other]) await browser.openTicket();
    await bystander.openTicket({ customer_email: 'bob@example.com' });
    const owner = await signedIn(bff, ada);
    const hasMoved = async (browser: TestBrowser) => (await browser.get(paths.session)).data.moved as boolean;
    expect(await hasMoved(stranger)).toBe(false);
    await claim(owner);
    const stream = await streams.listen(stranger.cookie);
    expect(stream.of('sync')[0]).toMatchObject({ session: { moved: true }, tickets: [] });
    const told = [stranger, stranger, other, bystander, owner].map(hasMoved);
    expect(await Promise.all(told)).toEqual([true, true, true, false, false]);
    expect((await stranger.request('DELETE', paths.moved)).data).toMatchObject({ moved: false });
    await stream.ended;
    await identify(other, ada);
    for (const browser of [stranger, other]) expect(await hasMoved(browser)).toBe(false);
    expect((await bff.browser().request('DELETE', paths.moved)).status).toBe(401);
  });

  it('accept no more messages from the browser that opened them once they are claimed, not even waiting ones [isolation-12]', async () => {
    const stranger = bff.browser();
    const { data: ticket } = await stranger.openTicket();
    bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 429 } : undefined);
    const key = randomUUID();
    await stranger.post(paths.messages(ticket.id), { body: 'Send it to my other address' }, key);
    const owner = await signedIn(bff, ada);
    await claim(owner);
    bff.service.answer = undefined;
    bff.clock.offsetMs = hourMs / 2;
    bff.worker.poll();
    const operation = () =>
      bff.store.selectFrom('operations').select(['state', 'error']).where('key', '=', key);
    await until(async () =>
      expect(await operation().executeTakeFirst()).toEqual({ state: 'rejected', error: 'not_found' }),
    );
    expect(bff.service.tickets.get(ticket.id)!.messages).toEqual([]);
  });

  it('belong to nobody else once their owner has held them, even when that owner loses the address [isolation-16]', async () => {
    const owner = await signedIn(bff, ada, { sub: '42' });
    const { data: ticket } = await owner.openTicket();
    for (const claims of [{ email: 'new@example.com' }, { email_verified: false }]) {
      await identify(owner, ada, { sub: '42', ...claims });
      const other = await signedIn(bff, ada, { sub: '43' });
      expect((await other.get(paths.session)).data.claimable).toBe(0);
      await claim(other);
      expect((await other.get(paths.ticket(ticket.id))).status).toBe(404);
      expect((await owner.get(paths.ticket(ticket.id))).status).toBe(200);
    }
  });

  it('stay with each of two accounts that hold them by the same proven address', async () => {
    const { data: ticket } = await bff.browser().openTicket();
    const both = [await signedIn(bff, ada, { sub: '1' }), await signedIn(bff, ada, { sub: '2' })];
    const stranger = bff.browser();
    await stranger.openTicket({ customer_email: 'eve@example.com' });
    const ids = await bff.store.selectFrom('subjects').select(['id', 'identity_hash']).execute();
    for (const { id, identity_hash } of ids)
      await bff.store
        .insertInto('grants')
        .values({ subject_id: id, ticket_id: ticket.id, created_at: 0, trusted: identity_hash ? 1 : 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await claim(both[0]!);
    expect((await stranger.get(paths.ticket(ticket.id))).status).toBe(404);
    for (const owner of both) expect((await owner.get(paths.ticket(ticket.id))).status).toBe(200);
  });

  it('stay with a customer who has claimed them already [isolation-15]', async () => {
    await bff.browser().openTicket();
    const owner = await signedIn(bff, ada);
    await claim(owner);
    const sameAddress = await signedIn(bff, ada, { sub: 'another account' });
    expect((await sameAddress.get(paths.session)).data.claimable).toBe(0);
  });

  it('can be found by their owner when the browser that opened them is gone', async () => {
    const lost = bff.browser();
    const { data: ticket } = await lost.openTicket();
    await lost.request('DELETE', paths.session);
    await bff.housekeep();
    const owner = await signedIn(bff, ada);
    await claim(owner);
    expect(await idsOf(owner)).toEqual([ticket.id]);
  });
});

describe('a customer message that came another way', () => {
  const byMail = (ticketId: string) => bff.service.addMessage(ticketId, 'customer', 'My secret, by mail');
  async function seenBy(browser: TestBrowser, ticketId: string) {
    const stream = await streams.listen(browser.cookie, ticketId);
    const thread = await browser.get(paths.ticket(ticketId));
    const list = await browser.get(paths.tickets);
    await until(() => expect(JSON.stringify(stream.seen)).toContain(ticketId));
    stream.stop();
    return thread.text + list.text + JSON.stringify(stream.seen);
  }

  it('is hidden from a customer who only typed the address, over HTTP and on the stream [isolation-9]', async () => {
    const browser = bff.browser();
    const { data: ticket } = await browser.openTicket();
    byMail(ticket.id);
    const seen = await seenBy(browser, ticket.id);
    expect(seen).toContain('"hidden":true');
    expect(seen).not.toContain('My secret');
  });

  it('stays hidden from them when they sign in under another address [isolation-10]', async () => {
    const browser = bff.browser();
    const { data: ticket } = await browser.openTicket();
    byMail(ticket.id);
    await identify(browser, 'mallory@example.com');
    await addTickets(browser);
    expect(await idsOf(browser)).toEqual([ticket.id]);
    expect(await seenBy(browser, ticket.id)).not.toContain('My secret');
  });

  it('is shown to a customer who has proven that address, and hidden again when the address changes', async () => {
    const browser = bff.browser();
    const { data: ticket } = await browser.openTicket();
    byMail(ticket.id);
    await identify(browser, ada, { sub: '42' });
    expect(await seenBy(browser, ticket.id)).toContain('My secret');
    await identify(browser, 'new@example.com', { sub: '42' });
    expect(await idsOf(browser)).toEqual([ticket.id]);
    expect(await seenBy(browser, ticket.id)).not.toContain('My secret');
  });
});
