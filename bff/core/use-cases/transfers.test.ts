import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { type TestBrowser, ticketBody } from '../../testing/browser.ts';
import { addTickets, claim, identify, idsOf, signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, until } from '../../testing/streams.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const ada = 'ada@example.com';
const mallory = 'mallory@example.com';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff(withIdentity);
});
afterEach(() => bff.stop());

const onOffer = async (browser: TestBrowser) =>
  (await browser.get(paths.session)).data.transferable as number;
const decline = (browser: TestBrowser) => browser.request('DELETE', paths.transfer);
const tokenOf = (browser: TestBrowser) => browser.cookie.split('=')[1]!;

/**
 * A visitor opens a ticket under the address `ada`. Then a token of another customer is exchanged in their browser.
 */
async function identifiedAs(email: string, claims = {}) {
  const browser = bff.browser();
  const { data: ticket } = await browser.openTicket();
  const { data } = await identify(browser, email, claims);
  return { browser, ticketId: ticket.id as string, session: data };
}

/** What a script of the host page could try with an account of its own. */
describe('a token of another account, exchanged in the browser of a visitor,', () => {
  it('transfers nothing to that account without a press, neither here nor on its other devices [identity-23]', async () => {
    const attacker = await signedIn(bff, mallory);
    const { browser, ticketId, session } = await identifiedAs(mallory);
    expect(session).toMatchObject({ customer: { email: mallory }, transferable: 1 });
    for (const device of [browser, attacker, await signedIn(bff, mallory)]) {
      expect(await idsOf(device)).toEqual([]);
      expect((await device.get(paths.ticket(ticketId))).status).toBe(404);
    }
  });

  it('offers the tickets to this browser only [identity-24]', async () => {
    const attacker = await signedIn(bff, mallory);
    const { browser } = await identifiedAs(mallory);
    for (const device of [attacker, await signedIn(bff, mallory)]) {
      expect(await onOffer(device)).toBe(0);
      expect((await addTickets(device)).status).toBe(200);
      await decline(device);
      expect(await idsOf(device)).toEqual([]);
    }
    expect(await onOffer(browser)).toBe(1);
  });

  it('leaves the former token without any use', async () => {
    const browser = bff.browser();
    await browser.openTicket();
    const former = browser.cookie;
    await identify(browser, mallory);
    browser.cookie = former;
    expect((await browser.get(paths.tickets)).status).toBe(401);
    expect((await addTickets(browser)).status).toBe(401);
  });

  it('transfers nothing that is sent at this moment [identity-25]', async () => {
    const browser = bff.browser();
    await browser.openTicket();
    const { session, subject } = (await bff.sessions.authenticate(bff.sessions.hashOf(tokenOf(browser))))!;
    const underway = { session, subject: bff.subjects.of(subject) };
    await identify(browser, mallory);
    const another = { ...ticketBody, subject: 'Another' };
    const { row } = await bff.delivery.acceptTicket(underway, false, randomUUID(), another);
    await bff.delivery.follow(row);
    expect(await idsOf(browser)).toEqual([]);
    expect(await onOffer(browser)).toBe(2);
    await addTickets(browser);
    expect(await idsOf(browser)).toHaveLength(2);
  });

  it('leaves a waiting send in the ledger, which then arrives under the typed address', async () => {
    const browser = bff.browser();
    const key = randomUUID();
    await bff.worker.stop();
    await browser.openTicket({}, key);
    await browser.post(paths.messages(key), { body: 'It is blue' });
    await identify(browser, mallory);
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[], 1]);
    await bff.worker.start();
    await until(() => expect([...bff.service.tickets.values()][0]?.messages).toHaveLength(1));
    expect(bff.service.writes()[0]!.body['customer_email']).toBe(ada);
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[], 1]);
    await addTickets(browser);
    expect((await browser.get(paths.operation(key))).data.state).toBe('done');
    const [id] = await idsOf(browser);
    expect((await browser.get(paths.ticket(id!))).text).toContain('It is blue');
  });
});

describe('the tickets of a browser whose customer signs in', () => {
  it('belong to the customer everywhere once they add them, and adding twice is harmless', async () => {
    const laptop = await signedIn(bff, mallory);
    const { browser, ticketId } = await identifiedAs(mallory);
    for (const _ of ['once', 'twice'])
      expect((await addTickets(browser)).data).toMatchObject({
        customer: { email: mallory },
        transferable: 0,
      });
    expect(await idsOf(browser)).toEqual([ticketId]);
    expect(await idsOf(laptop)).toEqual([ticketId]);
    expect((await browser.get(paths.ticket(ticketId))).text).toContain('It came like this.');
  });

  it('are offered on the stream, which ends when they are added', async () => {
    const streams = await startStreams(bff);
    const { browser, ticketId } = await identifiedAs(mallory);
    const stream = await streams.listen(browser.cookie);
    expect(stream.of('sync')[0]).toMatchObject({ session: { transferable: 1 }, tickets: [] });
    await addTickets(browser);
    await stream.ended;
    const again = await streams.listen(browser.cookie);
    expect(again.of('sync')[0]).toMatchObject({
      session: { transferable: 0 },
      tickets: [{ id: ticketId }],
    });
  });

  it('are transferred without a press where the proven address is the typed one, in any spelling', async () => {
    const browser = bff.browser();
    const { data: own } = await browser.openTicket({ customer_email: 'ADA@Example.COM' });
    await browser.openTicket({ customer_email: 'other@example.com' });
    await identify(browser, ada);
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[own.id], 1]);
    await addTickets(browser);
    expect([(await idsOf(browser)).length, await onOffer(browser)]).toEqual([2, 0]);
  });

  it('are only offered until the site has proven the typed address, then transferred', async () => {
    const { browser, ticketId } = await identifiedAs(ada, { email_verified: false });
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[], 1]);
    await identify(browser, ada);
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[ticketId], 0]);
  });

  it('are offered in each of several tabs that sign in at once', async () => {
    const browser = bff.browser();
    const { data: ticket } = await browser.openTicket();
    const tabs = [0, 1, 2].map(() => Object.assign(bff.browser(), { cookie: browser.cookie }));
    await Promise.all(tabs.map((tab) => identify(tab, mallory)));
    for (const tab of tabs) expect(await onOffer(tab)).toBe(1);
    await Promise.all(tabs.map(addTickets));
    for (const tab of tabs) expect([await idsOf(tab), await onOffer(tab)]).toEqual([[ticket.id], 0]);
  });

  it('stay on a device that they had been handed to', async () => {
    const [browser, other] = [bff.browser(), bff.browser()];
    const { data: ticket } = await browser.openTicket();
    const { data: offer } = await browser.request('POST', accountPaths.handoff, {});
    const answer = { secret: offer.url.split('#handoff=')[1], device: randomUUID() };
    const { data } = await other.request('POST', accountPaths.handoffRedeem, answer);
    await browser.request('POST', accountPaths.handoffConfirm, { number: data.number });
    await other.request('POST', accountPaths.handoffRedeem, answer);
    expect(await idsOf(other)).toEqual([ticket.id]);
    await identify(browser, mallory);
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[], 1]);
    await addTickets(browser);
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[ticket.id], 0]);
    expect(await idsOf(other)).toEqual([ticket.id]);
  });
});

describe('an offer of tickets', () => {
  /** Sets the faked time, which also applies to the signed tokens. */
  const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('ends when it is declined, and only the owner of the typed address can then find the tickets [identity-33]', async () => {
    const { browser, ticketId } = await identifiedAs(mallory);
    expect((await decline(browser)).data).toMatchObject({ customer: { email: mallory }, transferable: 0 });
    await addTickets(browser);
    await identify(browser, mallory);
    expect([await idsOf(browser), await onOffer(browser)]).toEqual([[], 0]);
    const owner = await signedIn(bff, ada);
    await claim(owner);
    expect(await idsOf(owner)).toEqual([ticketId]);
  });

  it('lasts while the session of the same customer is renewed, even after it has expired', async () => {
    const { browser, ticketId } = await identifiedAs(mallory);
    for (const passedMs of [hourMs / 2, 3 * hourMs, 30 * hourMs, 20 * dayMs]) {
      advance(passedMs);
      await bff.housekeep();
      const { headers } = await identify(browser, mallory);
      expect(await onOffer(browser)).toBe(1);
      const keptSec = Number(/Max-Age=(\d+)/.exec(headers.get('set-cookie')!)![1]);
      expect(keptSec * 1_000).toBeGreaterThan(8 * dayMs);
    }
    await addTickets(browser);
    expect(await idsOf(browser)).toEqual([ticketId]);
  });

  it('does not extend the session', async () => {
    const { browser } = await identifiedAs(mallory);
    advance(1.1 * hourMs);
    expect((await browser.get(paths.tickets)).status).toBe(401);
    expect((await addTickets(browser)).status).toBe(401);
  });

  it('ends after 30 days [identity-34]', async () => {
    const { browser } = await identifiedAs(mallory);
    advance(30 * dayMs + hourMs);
    expect((await identify(browser, mallory)).data.transferable).toBe(0);
    await bff.housekeep();
    expect(await bff.store.selectFrom('transfers').selectAll().execute()).toEqual([]);
  });

  it('is for one customer, and ends when another one signs in or this one signs out [identity-32]', async () => {
    for (const leave of [
      (browser: TestBrowser) => identify(browser, 'bob@example.com'),
      (browser: TestBrowser) => browser.request('DELETE', paths.session),
    ]) {
      const { browser } = await identifiedAs(mallory);
      const former = browser.cookie;
      await leave(browser);
      expect(await onOffer(browser)).toBe(0);
      browser.cookie = former;
      await identify(browser, mallory);
      expect(await onOffer(browser)).toBe(0);
    }
  });

  it('survives the joining of what its customer proved by code and by token', async () => {
    const byCode = await bff.subjects.byAddress(mallory);
    const { browser } = await identifiedAs('old@example.com', { email_verified: false });
    const transfers = bff.store.updateTable('transfers').set({ to_subject: byCode.id });
    await transfers.execute();
    await signedIn(bff, mallory, { sub: 'joined' });
    await identify(browser, mallory, { sub: 'joined' });
    expect(await onOffer(browser)).toBe(1);
  });

  it('becomes a transfer when a customer proves the typed address', async () => {
    const { browser, ticketId } = await identifiedAs(mallory);
    await identify(browser, ada);
    expect(await idsOf(browser)).toEqual([ticketId]);
  });

  it('has only tickets that still belong to the browser', async () => {
    const { browser } = await identifiedAs(mallory);
    await claim(await signedIn(bff, ada));
    expect(await onOffer(browser)).toBe(0);
    await addTickets(browser);
    expect(await idsOf(browser)).toEqual([]);
  });
});

it('nobody without a session can add or decline tickets', async () => {
  expect([(await addTickets(bff.browser())).status, (await decline(bff.browser())).status]).toEqual([
    401, 401,
  ]);
});
