import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anonymousHeader, idempotencyHeader, ownerHeader, paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { type TestBrowser, ticketBody } from '../../testing/browser.ts';
import { addTickets, identify, idsOf, withIdentity } from '../../testing/identity.ts';

const ada = 'ada@example.com';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff(withIdentity);
});
afterEach(() => bff.stop());

/** Signs in. Returns the owner name that the BFF has for this customer. */
async function signIn(browser: TestBrowser, email: string): Promise<string> {
  const { data } = await identify(browser, email);
  return data.customer.owner as string;
}

const forNobody = { [anonymousHeader]: '1' };

/** `owner`: null for a request without a customer. */
const write = (browser: TestBrowser, path: string, body: object, owner: string | null, key = randomUUID()) =>
  browser.request('POST', path, body, {
    [idempotencyHeader]: key,
    ...(owner === null ? forNobody : { [ownerHeader]: owner }),
  });

describe('a customer’s name for the browser', () => {
  it('is the same on every device, differs for every customer, and reveals nothing of them', async () => {
    const names = [
      await signIn(bff.browser(), ada),
      await signIn(bff.browser(), ada),
      await signIn(bff.browser(), 'bob@example.com'),
    ];
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
    expect(names[0]).toMatch(/^[\w-]{43}$/);
  });

  it('is absent for a customer who has not signed in', async () => {
    const browser = bff.browser();
    await browser.openTicket();
    expect((await browser.get(paths.session)).data.customer.owner).toBeNull();
  });
});

describe('a request made for one customer', () => {
  it('passes under their own session', async () => {
    const browser = bff.browser();
    const owner = await signIn(browser, ada);
    expect((await write(browser, paths.tickets, ticketBody, owner)).status).toBe(201);
  });

  it.each([
    ['another customer’s session', (browser: TestBrowser) => signIn(browser, 'bob@example.com')],
    ['an anonymous session', (browser: TestBrowser) => browser.openTicket()],
    ['no session', async () => {}],
  ])('is refused under %s: nothing is sent, read or begun [identity-14]', async (_name, become) => {
    const owner = await signIn(bff.browser(), ada);
    const browser = bff.browser();
    await become(browser);
    const [before, cookie] = [await idsOf(browser).catch(() => null), browser.cookie];
    const opened = bff.service.tickets.size;
    const answers = [
      await write(browser, paths.tickets, ticketBody, owner),
      await write(browser, paths.messages(before?.[0] ?? randomUUID()), { body: 'Hello' }, owner),
      await browser.request('GET', paths.tickets, undefined, { [ownerHeader]: owner }),
      await browser.request('GET', paths.events, undefined, { [ownerHeader]: owner }),
    ];
    for (const { status, error } of answers) expect([status, error.code]).toEqual([401, 'unauthenticated']);
    expect(bff.service.tickets.size).toBe(opened);
    expect(browser.cookie).toBe(cookie);
    expect(await idsOf(browser).catch(() => null)).toEqual(before);
  });
});

describe('a request made without a customer', () => {
  it('passes without a session and under an anonymous one', async () => {
    const browser = bff.browser();
    const { status, data } = await write(browser, paths.tickets, ticketBody, null);
    expect(status).toBe(201);
    expect((await write(browser, paths.messages(data.id), { body: 'Hello' }, null)).status).toBe(201);
  });

  it('is refused under a customer’s session, which it cannot end, and nothing is sent [identity-28]', async () => {
    const browser = bff.browser();
    await signIn(browser, ada);
    const { data: own } = await browser.openTicket();
    const cookie = browser.cookie;
    const answers = [
      await write(browser, paths.tickets, ticketBody, null),
      await write(browser, paths.messages(own.id), { body: 'Hello' }, null),
      await browser.request('DELETE', paths.session, undefined, forNobody),
    ];
    for (const { status, error } of answers) expect([status, error.code]).toEqual([401, 'unauthenticated']);
    expect(bff.service.writes()).toHaveLength(1);
    expect(browser.cookie).toBe(cookie);
    expect(await idsOf(browser)).toEqual([own.id]);
  });
});

describe('a ticket that was sent without a customer, and again with its key under a customer’s session,', () => {
  it.each([
    ['before they have added it is not theirs', false],
    ['once they have added it is the one that they have', true],
  ])('%s, and there is no second one', async (_when, isAdded) => {
    const browser = bff.browser();
    const key = randomUUID();
    const { data: first } = await write(browser, paths.tickets, ticketBody, null, key);
    const owner = await signIn(browser, 'bob@example.com');
    if (isAdded) await addTickets(browser);
    const { status, data } = await write(browser, paths.tickets, ticketBody, owner, key);
    expect([status, data.key, data.id]).toEqual([201, key, isAdded ? first.id : null]);
    expect(bff.service.tickets.size).toBe(1);
    expect(await idsOf(browser)).toEqual(isAdded ? [first.id] : []);
  });
});
