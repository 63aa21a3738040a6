import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { createHistoryPart } from './extra.ts';
import { createHistory } from './history.ts';
import { createExternalTickets } from './external-tickets.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { identify, idsOf, signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';

const ada = 'ada@example.com';
const customer = (email: string) => ({ name: 'Stored Name', email, company: 'Stored Company' });
const dayMs = 86_400_000;

let bff: TestBff;
let streams: TestStreams;
async function start(more = {}) {
  bff = await startBff({ ...withIdentity, ...more });
  streams = await startStreams(bff);
}
beforeEach(() => start());
afterEach(() => bff.stop());

const settled = () => (bff.extras.get('history') as ReturnType<typeof createHistoryPart>).settled();

/** Visits the tickets as a customer. Resolves when the search that this starts is done. */
async function look(browser: { cookie: string }) {
  await streams.listen(browser.cookie);
  await settled();
}
const readsOf = (id: string) => bff.service.calls.filter(({ path }) => path.endsWith(id)).length;

describe('a ticket that was opened elsewhere', () => {
  it('is in the list of a customer who has proven its address, complete, and with its past messages as read', async () => {
    const mailed = bff.service.addTicket({
      subject: 'By mail',
      description: 'Hello',
      customer: customer(ada),
    });
    bff.service.addMessage(mailed.id, 'agent', 'Good day');
    bff.service.addMessage(mailed.id, 'customer', 'One more thing');
    const owner = await signedIn(bff, ada);
    const stream = await streams.listen(owner.cookie);
    expect(stream.of('sync')[0]).toMatchObject({ tickets: [] });
    // Its browsers reconnect, and find the ticket.
    await stream.ended;
    const { data } = await owner.get(paths.tickets);
    expect(data).toMatchObject([{ id: mailed.id, key: null, subject: 'By mail', unread: 0 }]);
    const thread = await owner.get(paths.ticket(mailed.id));
    const texts = (thread.data.messages as { body: string; hidden: boolean }[]).map(({ body, hidden }) => [
      body,
      hidden,
    ]);
    expect(texts).toEqual([
      ['Hello', false],
      ['Good day', false],
      ['One more thing', false],
    ]);
    await look(owner);
    bff.service.addMessage(mailed.id, 'agent', 'Done');
    await until(async () => expect((await owner.get(paths.tickets)).data[0].unread).toBe(1));
  });

  it('belongs to nobody else: no other customer, and no visitor who types the address [isolation-37]', async () => {
    const mailed = bff.service.addTicket({ customer: customer(ada) });
    const [bob, typing] = [await signedIn(bff, 'bob@example.com'), bff.browser()];
    const { data: own } = await typing.openTicket({ customer_email: ada });
    const unproven = await signedIn(bff, ada, { email_verified: false, sub: 'not proven' });
    for (const browser of [bob, typing, unproven]) await look(browser);
    expect(await idsOf(bob)).toEqual([]);
    expect(await idsOf(typing)).toEqual([own.id]);
    expect(await idsOf(unproven)).toEqual([]);
    for (const browser of [bob, typing, unproven])
      expect((await browser.get(paths.ticket(mailed.id))).status).toBe(404);
  });

  it('is not a ticket that was opened here, or in another Deskside, under a typed address [isolation-38]', async () => {
    await bff.browser().openTicket({ customer_email: ada });
    bff.service.addTicket({
      customer: customer(ada),
      description: 'Typed there\n\nDeskside: e-mail not verified · ref DS-0123456789AB',
    });
    const owner = await signedIn(bff, ada);
    await look(owner);
    expect(await idsOf(owner)).toEqual([]);
  });

  it('leaves with the proven address, and comes back with it', async () => {
    const mailed = bff.service.addTicket({ customer: customer(ada) });
    const owner = await signedIn(bff, ada, { sub: 'the same' });
    await look(owner);
    expect(await idsOf(owner)).toEqual([mailed.id]);
    await identify(owner, 'new@example.com', { sub: 'the same' });
    expect(await idsOf(owner)).toEqual([]);
    expect((await owner.get(paths.ticket(mailed.id))).status).toBe(404);
    await identify(owner, ada, { sub: 'the same' });
    await look(owner);
    expect(await idsOf(owner)).toEqual([mailed.id]);
  });

  it('is not given to a customer once it has another one at the service [isolation-39]', async () => {
    const mailed = bff.service.addTicket({ customer: customer(ada) });
    await look(await signedIn(bff, 'bob@example.com'));
    expect(readsOf(mailed.id)).toBe(1);
    mailed.customer = customer('carol@example.com');
    const owner = await signedIn(bff, ada);
    await look(owner);
    expect(readsOf(mailed.id)).toBe(2);
    expect(await idsOf(owner)).toEqual([]);
  });
});

describe('a ticket from elsewhere that gets another customer', () => {
  it('is taken from the former one by the next read, before its text is shown, and found by the new one [isolation-41]', async () => {
    const mailed = bff.service.addTicket({ customer: customer(ada) });
    const [owner, next] = [await signedIn(bff, ada), await signedIn(bff, 'bob@example.com')];
    await look(owner);
    expect(await idsOf(owner)).toEqual([mailed.id]);
    mailed.customer = customer('bob@example.com');
    bff.service.addMessage(mailed.id, 'customer', 'For Bob only');
    bff.clock.offsetMs += 2_000;
    expect((await owner.get(paths.ticket(mailed.id))).status).toBe(404);
    expect(await idsOf(owner)).toEqual([]);
    await look(next);
    expect(await idsOf(next)).toEqual([mailed.id]);
  });

  it('is taken from the former one also when a second account of theirs searches [isolation-42]', async () => {
    const mailed = bff.service.addTicket({ customer: customer(ada) });
    const owner = await signedIn(bff, ada, { sub: 'one' });
    await look(owner);
    expect(await idsOf(owner)).toEqual([mailed.id]);
    mailed.customer = customer('bob@example.com');
    const second = await signedIn(bff, ada, { sub: 'another' });
    await look(second);
    for (const browser of [owner, second]) expect(await idsOf(browser)).toEqual([]);
  });

  it('leaves nothing in the store once nobody holds it', async () => {
    const mailed = bff.service.addTicket({ customer: customer(ada) });
    const owner = await signedIn(bff, ada);
    await look(owner);
    mailed.customer = customer('carol@example.com');
    bff.clock.offsetMs += 2_000;
    await owner.get(paths.ticket(mailed.id));
    await bff.housekeep();
    expect(await bff.store.selectFrom('tickets').select('id').execute()).toEqual([]);
  });
});

it('a ticket that the service no longer has is asked for once, and forgotten', async () => {
  const mailed = bff.service.addTicket({ customer: customer(ada) });
  await look(await signedIn(bff, 'bob@example.com'));
  bff.service.tickets.delete(mailed.id);
  const owner = await signedIn(bff, ada);
  await look(owner);
  await look(owner);
  expect(readsOf(mailed.id)).toBe(2);
});

it('a ticket that the service refuses to show for now is kept, and given later', async () => {
  const mailed = bff.service.addTicket({ customer: customer(ada) });
  await look(await signedIn(bff, 'bob@example.com'));
  bff.service.answer = ({ path }) => (path.endsWith(mailed.id) ? { statusCode: 403, data: '{}' } : undefined);
  const owner = await signedIn(bff, ada);
  await look(owner);
  bff.service.answer = undefined;
  await look(owner);
  expect(await idsOf(owner)).toEqual([mailed.id]);
});

it('a ticket whose list entry has no text is read once, and not given if a Deskside has sent it [isolation-43]', async () => {
  const typed = bff.service.addTicket({
    customer: customer(ada),
    description: 'Typed there\n\nDeskside: e-mail not verified · ref DS-0123456789AB',
  });
  bff.service.answer = ({ path }) =>
    path.includes('limit=')
      ? { statusCode: 200, data: JSON.stringify({ data: [{ ...typed, description: undefined }] }) }
      : undefined;
  const owner = await signedIn(bff, ada);
  await look(owner);
  bff.clock.offsetMs += 11_000;
  await look(owner);
  expect(await idsOf(owner)).toEqual([]);
  expect(readsOf(typed.id)).toBe(1);
});

it('a search ends while the store fails, and begins again with the next visit', async () => {
  bff.service.addTicket({ customer: customer(ada) });
  const owner = await signedIn(bff, ada);
  const failing = vi.spyOn(bff.subjects, 'findAll').mockRejectedValue(new Error('away'));
  bff.extras.get('history')!.onVisit!('anybody');
  await settled();
  expect(failing).toHaveBeenCalledOnce();
  failing.mockRestore();
  await look(owner);
  expect(await idsOf(owner)).toHaveLength(1);
});

it('a ticket that enters the list after a search is found by the next search, also for a customer who came in between', async () => {
  const { grants, ticketRecords, subjects, store, v1, live, clock } = bff;
  const given: string[] = [];
  const history = createHistory(
    {
      subjects,
      v1,
      live: { ...live, restart: (id) => void given.push(id) },
      elapsed: () => performance.now() + clock.offsetMs,
      report: () => (error) => {
        throw error;
      },
    },
    createExternalTickets({ store, grants, ticketRecords, now: Date.now }),
    100,
  );
  await signedIn(bff, ada);
  const { id } = await store.selectFrom('subjects').select('id').executeTakeFirstOrThrow();
  history.search(id);
  await history.settled();
  bff.service.addTicket({ customer: customer(ada) });
  history.search(id);
  await until(() => expect(given).toEqual([id]));
  history.stop();
});

describe('the cost of the search', () => {
  it('is nothing while nobody with a proven address visits', async () => {
    bff.service.addTicket({ customer: customer(ada) });
    const visitor = bff.browser();
    await visitor.openTicket({ customer_email: 'eve@example.com' });
    bff.service.calls.length = 0;
    await look(visitor);
    expect(bff.service.calls.filter(({ path }) => path.includes('limit='))).toEqual([]);
  });

  it('is one list in ten seconds, and one read of each ticket', async () => {
    const { id } = bff.service.addTicket({ customer: customer('carol@example.com') });
    for (const email of [ada, 'bob@example.com']) await look(await signedIn(bff, email));
    const lists = () => bff.service.calls.filter(({ path }) => path.includes('limit=')).length;
    expect([lists(), readsOf(id)]).toEqual([1, 1]);
    bff.clock.offsetMs += 11_000;
    await look(await signedIn(bff, ada));
    expect([lists(), readsOf(id)]).toEqual([2, 1]);
  });

  it('is one more read after 90 days for a ticket that nobody holds', async () => {
    const [theirs, unheld] = [ada, 'carol@example.com'].map((email) =>
      bff.service.addTicket({ customer: customer(email) }),
    );
    await look(await signedIn(bff, ada));
    bff.clock.offsetMs += 91 * dayMs;
    await bff.housekeep();
    const known = await bff.store.selectFrom('listed_tickets').select('id').execute();
    expect(known).toEqual([{ id: theirs!.id }]);
    expect(readsOf(unheld!.id)).toBe(1);
  });
});

it('nothing is searched without the line for agents, which marks tickets from here [isolation-40]', async () => {
  await streams.stop();
  await bff.stop();
  await start({ hasFooter: false });
  bff.service.addTicket({ customer: customer(ada) });
  const owner = await signedIn(bff, ada);
  await look(owner);
  expect(await idsOf(owner)).toEqual([]);
});
