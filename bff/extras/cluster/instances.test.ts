import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { claim, identify, signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';

/** Two instances on one database. No ticket becomes due for a read during a test. */
const rareReads = { watchActiveMs: 600_000, watchIdleMs: 600_000 };
let here: TestBff;
let there: TestBff;
let streams: TestStreams;
beforeEach(async () => {
  const dataDir = randomUUID();
  here = await startBff({ dataDir, ...withIdentity, ...rareReads });
  there = await startBff({ dataDir, ...withIdentity, ...rareReads, beside: here });
  streams = await startStreams(there);
});
afterEach(async () => {
  await streams.stop();
  await there.stop();
  await here.stop();
});

async function withTicket(browser: TestBrowser) {
  const { data: ticket } = await browser.openTicket({ customer_email: 'ada@example.com' });
  return { ticket, stream: await streams.listen(browser.cookie, ticket.id) };
}

describe('a stream on another instance', () => {
  it('shows a reply that was sent here, and an earlier answer of an agent', async () => {
    const ada = here.browser();
    const { ticket, stream } = await withTicket(ada);
    here.service.addMessage(ticket.id, 'agent', 'We look into it.');
    const key = randomUUID();
    await ada.post(paths.messages(ticket.id), { body: 'Thank you' }, key);
    await until(() => expect(stream.of('operation').at(-1)).toMatchObject({ key, state: 'done' }));
    await until(() =>
      expect(stream.of('message').map(({ message }) => message.body)).toContain('We look into it.'),
    );
  });

  it('ends when its session is signed out here', async () => {
    const ada = here.browser();
    const { stream } = await withTicket(ada);
    await ada.request('DELETE', paths.session);
    await stream.ended;
    // Ended by the published change, or just before by another event that finds the session gone.
    expect(stream.of('session').at(-1)).toMatchObject({ customer: null });
  });

  it('restarts when the customer signs in here, with the tickets of another device', async () => {
    const ada = await signedIn(here, 'ada@example.com');
    let stream = await streams.listen(ada.cookie);
    // This instance may hear of the sign-in only now, and end the stream because of it.
    while (stream.of('sync').length === 0) stream = await streams.listen(ada.cookie);
    await identify(await phoneOf(here), 'ada@example.com');
    await stream.ended;
    expect(stream.isOpen()).toBe(false);
  });

  it('of a visitor ends when the owner of the address claims the ticket here', async () => {
    const visitor = here.browser();
    const { ticket, stream } = await withTicket(visitor);
    await claim(await signedIn(here, 'ada@example.com'));
    await stream.ended;
    const again = await streams.listen(visitor.cookie, ticket.id);
    expect(again.of('sync')[0]).toMatchObject({ tickets: [], thread: null });
  });

  it('shows an answer after a webhook that arrives here', async () => {
    const { ticket, stream } = await withTicket(here.browser());
    here.service.addMessage(ticket.id, 'agent', 'We look into it.');
    await here.live.hint(ticket.id);
    await until(() => expect(stream.of('message').at(-1)?.message.body).toBe('We look into it.'));
  });

  it('receives nothing of other customers', async () => {
    const ada = here.browser();
    const { ticket } = await withTicket(ada);
    const eve = here.browser();
    const { stream } = await withTicket(eve);
    const before = stream.seen.length;
    await ada.post(paths.messages(ticket.id), { body: 'Only for me' });
    const { ticket: last } = await withTicket(eve);
    await until(() => expect(JSON.stringify(stream.seen)).toContain(last.id));
    expect(JSON.stringify(stream.seen.slice(before))).not.toContain(ticket.id);
  });
});

async function phoneOf(bff: TestBff): Promise<TestBrowser> {
  const phone = bff.browser();
  await phone.openTicket({ customer_email: 'ada@example.com' });
  return phone;
}

it('a send that is accepted on two instances at once under one key goes out once', async () => {
  const ada = here.browser();
  const { ticket } = await withTicket(ada);
  const other = there.browser();
  other.cookie = ada.cookie;
  const key = randomUUID();
  const answers = await Promise.all(
    [ada, other].map((browser) => browser.post(paths.messages(ticket.id), { body: 'Once' }, key)),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(here.service.writes()).toHaveLength(2);
});

it('replies to one ticket that two instances accept at once go out one after the other', async () => {
  const ada = here.browser();
  const { ticket } = await withTicket(ada);
  const other = there.browser();
  other.cookie = ada.cookie;
  const bodies = Array.from({ length: 10 }, (_, nth) => `Reply ${nth}`);
  await Promise.all(
    bodies.map((body, nth) => (nth % 2 ? ada : other).post(paths.messages(ticket.id), { body })),
  );
  const sent = here.service.tickets.get(ticket.id)!.messages.map(({ body }) => body);
  expect(sent.filter((body) => body.startsWith('Reply')).toSorted()).toEqual(bodies);
});
