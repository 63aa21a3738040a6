import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { claim, identify, signedIn, withIdentity } from '../../testing/identity.ts';
import { until } from '../../testing/streams.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff({ timeoutMs: 300, ...withIdentity });
});
afterEach(() => bff.stop());

async function handOver(from: TestBrowser, to: TestBrowser) {
  const { data: offer } = await from.request('POST', accountPaths.handoff, {});
  const answer = { secret: offer.url.split('#handoff=')[1], device: randomUUID() };
  const { data } = await to.request('POST', accountPaths.handoffRedeem, answer);
  await from.request('POST', accountPaths.handoffConfirm, { number: data.number });
  await to.request('POST', accountPaths.handoffRedeem, answer);
}

it('a waiting ticket whose customer’s proven address changes cannot be claimed by the next owner of that address', async () => {
  const carol = await signedIn(bff, 'old@example.com', { sub: 'carol' });
  await bff.worker.stop();
  await carol.openTicket();
  await identify(carol, 'new@example.com', { sub: 'carol' });
  await bff.worker.start();
  await until(async () => expect((await carol.get(paths.tickets)).data).toMatchObject([{ state: 'done' }]));
  const dave = await signedIn(bff, 'old@example.com', { sub: 'dave' });
  expect((await dave.get(paths.session)).data.claimable).toBe(0);
});

it('a reply from another device to a waiting ticket arrives, though the opener signs in before', async () => {
  const [laptop, phone] = [bff.browser(), bff.browser()];
  await bff.worker.stop();
  const [key, reply] = [randomUUID(), randomUUID()];
  await laptop.openTicket({}, key);
  await handOver(laptop, phone);
  expect((await phone.post(paths.messages(key), { body: 'It is blue' }, reply)).status).toBe(202);
  await identify(laptop, 'ada@example.com');
  await bff.worker.start();
  await until(async () => expect((await phone.get(paths.operation(reply))).data.state).toBe('done'));
  const [ticket] = [...bff.service.tickets.values()];
  expect(ticket!.messages.map(({ body }) => body)).toEqual(['It is blue']);
  expect((await phone.get(paths.tickets)).data).toMatchObject([{ id: ticket!.id }]);
});

it('an undecided send is refused once the owner of the address claims its ticket', async () => {
  const eve = bff.browser();
  const { data: ticket } = await eve.openTicket();
  await bff.worker.stop();
  const key = randomUUID();
  await eve.post(paths.messages(ticket.id), { body: 'Hello?' }, key);
  const rows = bff.store.updateTable('operations').where('key', '=', key);
  await rows.set({ due_at: null }).execute();
  await claim(await signedIn(bff, 'ada@example.com'));
  await bff.worker.start();
  const row = bff.store.selectFrom('operations').select(['state', 'error']).where('key', '=', key);
  await until(async () => expect(await row.execute()).toEqual([{ state: 'rejected', error: 'not_found' }]));
  expect(bff.service.tickets.get(ticket.id)!.messages).toEqual([]);
});
