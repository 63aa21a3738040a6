import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idempotencyHeader, ownerHeader, paths } from '../contract/paths.ts';
import { startBff, type TestBff, type TestBrowser, ticketBody } from '../testing/bff.ts';
import { identify, idsOf, withIdentity } from '../testing/identity.ts';

const ada = 'ada@example.com';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff(withIdentity);
});
afterEach(() => bff.stop());

/** Signs in; answers the name that the BFF has for this customer. */
async function signIn(browser: TestBrowser, email: string): Promise<string> {
  const { data } = await identify(browser, email);
  return data.customer.owner as string;
}

const write = (browser: TestBrowser, path: string, body: object, owner: string) =>
  browser.request('POST', path, body, { [idempotencyHeader]: randomUUID(), [ownerHeader]: owner });

describe('a customer’s name for the browser', () => {
  it('is the same on every device, another one for every customer, and says nothing of them', async () => {
    const names = [
      await signIn(bff.browser(), ada),
      await signIn(bff.browser(), ada),
      await signIn(bff.browser(), 'bob@example.com'),
    ];
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
    expect(names[0]).toMatch(/^[\w-]{43}$/);
  });

  it('is none for one who has not signed in', async () => {
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
  ])('is refused under %s: nothing is sent, read or begun', async (_name, become) => {
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
