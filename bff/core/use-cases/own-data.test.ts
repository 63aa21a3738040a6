import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { anonymousHeader, ownerHeader, paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { claim, identify, idsOf, signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';

let bff: TestBff;
let streams: TestStreams;
beforeEach(async () => {
  bff = await startBff(withIdentity);
  streams = await startStreams(bff);
});
afterEach(() => bff.stop());

const remove = (browser: TestBrowser, path: string, headers = {}) =>
  browser.request('DELETE', path, undefined, headers);

describe('the data of a customer', () => {
  it('contain their address, devices, tickets and sends, without secrets and hashes', async () => {
    const [desk, phone] = [await signedIn(bff, ada, { name: 'Ada' }), await signedIn(bff, ada)];
    const { data: ticket } = await desk.openTicket({ subject: 'The lid' });
    await phone.get(paths.session);
    const { status, data, text } = await desk.get(accountPaths.data);
    expect(status).toBe(200);
    expect(data).toMatchObject({ version: 1, email: ada, verified: true });
    expect(data.devices).toHaveLength(2);
    expect(data.tickets).toEqual([expect.objectContaining({ id: ticket.id, subject: 'The lid' })]);
    expect(data.sends).toEqual([
      expect.objectContaining({
        kind: 'ticket',
        state: 'done',
        ticket_id: ticket.id,
        content: expect.objectContaining({ subject: 'The lid' }),
      }),
    ]);
    expect(text).not.toMatch(/hash|token|sealed|fingerprint|DS-/);
  });

  it('contain nothing of another customer, nor of a ticket that was claimed away [isolation-30]', async () => {
    const [visitor, owner] = [bff.browser(), await signedIn(bff, ada)];
    await visitor.openTicket({ customer_email: ada, subject: 'Claimed' });
    await owner.openTicket({ subject: 'Of Ada' });
    await claim(owner);
    const others = [visitor, await signedIn(bff, bob)];
    for (const browser of others) {
      await browser.openTicket({ customer_email: bob, subject: 'Their own' });
      const { text } = await browser.get(accountPaths.data);
      expect(text).toContain('Their own');
      expect(text).not.toMatch(/Of Ada|Claimed/);
    }
  });

  it('are gone here once deleted, stay at the service, and every session ends [storage-16]', async () => {
    const [desk, phone] = [await signedIn(bff, ada), await signedIn(bff, ada)];
    await desk.openTicket();
    const stream = await streams.listen(phone.cookie);
    const answer = await remove(desk, accountPaths.data);
    expect([answer.status, answer.data.customer, desk.cookie]).toEqual([200, null, '']);
    await until(() => expect(stream.isOpen()).toBe(false));
    expect(stream.of('session')).toEqual([expect.objectContaining({ customer: null, signed_out: true })]);
    expect((await phone.get(paths.tickets)).status).toBe(401);
    for (const table of ['subjects', 'sessions', 'grants', 'tickets', 'operations'] as const)
      expect([table, await bff.store.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    expect(bff.service.tickets.size).toBe(1);
  });

  it('are not deleted while something is still to be delivered', async () => {
    const browser = await signedIn(bff, ada);
    await bff.worker.stop();
    await browser.openTicket();
    const { status, error } = await remove(browser, accountPaths.data);
    expect([status, error.code]).toEqual([409, 'operation_in_progress']);
    expect((await browser.get(paths.tickets)).data).toHaveLength(1);
  });

  it('can be deleted by a visitor who has not signed in', async () => {
    const browser = bff.browser();
    await browser.openTicket();
    expect((await remove(browser, accountPaths.data)).status).toBe(200);
    expect(await bff.store.selectFrom('subjects').selectAll().execute()).toEqual([]);
  });

  it('stay when another customer deletes theirs [isolation-31]', async () => {
    const [adas, bobs] = [await signedIn(bff, ada), await signedIn(bff, bob)];
    await adas.openTicket();
    const { data } = await bobs.openTicket();
    await remove(adas, accountPaths.data);
    expect(await idsOf(bobs)).toEqual([data.id]);
    expect((await bobs.get(accountPaths.data)).data.sends).toHaveLength(1);
  });
});

describe('the devices of a customer', () => {
  it('are those of their live sessions, and the asking one is marked', async () => {
    const [desk, phone] = [await signedIn(bff, ada), await signedIn(bff, ada)];
    await signedIn(bff, bob);
    await phone.get(paths.session);
    const { data, text } = await desk.get(accountPaths.devices);
    expect(data.map(({ current }: { current: boolean }) => current).toSorted()).toEqual([false, true]);
    expect(text).not.toMatch(/"id"|token|hash/);
  });

  it('are all signed out at once, and nobody else’s are [isolation-32]', async () => {
    const [desk, phone, bobs] = [
      await signedIn(bff, ada),
      await signedIn(bff, ada),
      await signedIn(bff, bob),
    ];
    const stream = await streams.listen(phone.cookie);
    const { status } = await remove(desk, accountPaths.devices);
    expect([status, desk.cookie]).toEqual([200, '']);
    await until(() => expect(stream.isOpen()).toBe(false));
    expect((await phone.get(accountPaths.devices)).status).toBe(401);
    expect((await bobs.get(accountPaths.devices)).status).toBe(200);
    await identify(desk, ada);
    expect((await desk.get(accountPaths.devices)).data).toHaveLength(1);
  });
});

it('a request for own data is refused without a session, and with the session of another customer [isolation-33]', async () => {
  const [adas, bobs] = [await signedIn(bff, ada), await signedIn(bff, bob)];
  const { owner } = (await adas.get(paths.session)).data.customer;
  await bobs.openTicket();
  for (const method of ['GET', 'DELETE'])
    for (const path of [accountPaths.data, accountPaths.devices]) {
      const answers = [
        await bff.browser().request(method, path),
        await bobs.request(method, path, undefined, { [ownerHeader]: owner }),
        await bobs.request(method, path, undefined, { [anonymousHeader]: '1' }),
        await bobs.request(method, `${path}/${randomUUID()}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 404]);
    }
  expect((await bobs.get(accountPaths.data)).data.sends).toHaveLength(1);
});
