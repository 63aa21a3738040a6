import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message, Ticket } from '../../../shared/contract/tickets.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';
import { startStreams, type TestStreams } from '../../testing/streams.ts';

const count = 120;

let bff: TestBff;
let streams: TestStreams;
let ada: ReturnType<TestBff['browser']>;
let ticketId: string;
const minutesAgo = (minutes: number) => new Date(bff.service.now() - minutes * 60_000).toISOString();
/** The texts of the answers, oldest first. The description comes before them. */
const bodies = Array.from({ length: count }, (_, place) => `Answer ${place}`);

beforeEach(async () => {
  bff = await startBff();
  streams = await startStreams(bff);
  ada = bff.browser();
  ticketId = (await ada.openTicket()).data.id;
  for (const [place, body] of bodies.entries())
    bff.service.addMessage(ticketId, 'agent', body).created_at = minutesAgo(count - place);
});
afterEach(() => bff.stop());

const page = async (before = ''): Promise<Ticket> =>
  (await ada.get(`${paths.ticket(ticketId)}?before=${before}`)).data;
const bodiesOf = ({ messages }: Ticket) => messages.map(({ body }) => body);
const syncAfter = async (after: string | null): Promise<Ticket> =>
  (await streams.listen(ada.cookie, ticketId, after)).of('sync')[0].thread;

describe('a conversation of many pages', () => {
  it('begins with the newest 50, and earlier pages bring each message once, the description last', async () => {
    const newest = await page();
    expect(bodiesOf(newest)).toEqual(bodies.slice(-50));
    expect(newest).toMatchObject({ has_earlier: true, before: null, after: null });
    const seen: Message[] = [...newest.messages];
    let last = newest;
    while (last.has_earlier) {
      const before: string = last.messages[0]!.id!;
      last = await page(before);
      expect(last.before).toBe(before);
      seen.unshift(...last.messages);
    }
    expect(seen.map(({ body }) => body)).toEqual([ticketBody.description, ...bodies]);
  });

  it('costs one read of the service, however far the customer goes back within a minute', async () => {
    const newest = await page();
    const before = bff.service.calls.length;
    bff.clock.offsetMs = 30_000;
    await page((await page(newest.messages[0]!.id!)).messages[0]!.id!);
    expect(bff.service.calls).toHaveLength(before);
  });

  it('is answered as a whole to a page of the previous build, which does not know pages', async () => {
    const { data } = await ada.get(paths.ticket(ticketId));
    for (const ticket of [data, await syncAfter(null)]) {
      expect(bodiesOf(ticket)).toEqual([ticketBody.description, ...bodies]);
      expect(ticket).toMatchObject({ has_earlier: false, before: null, after: null });
    }
  });

  it('answers the newest page where `before` or `after` names no message of it', async () => {
    for (const ticket of [await page('nobody'), await syncAfter('nobody'), await syncAfter('')])
      expect(ticket).toMatchObject({ has_earlier: true, before: null, after: null });
    expect(bodiesOf(await page('nobody'))).toEqual(bodies.slice(-50));
    expect(bodiesOf(await syncAfter('nobody'))).toEqual(bodies.slice(-50));
  });
});

describe('a stream that continues from a message', () => {
  it('begins with the next message, and repeats nothing', async () => {
    const { messages } = await page();
    const after = messages.at(-3)!.id!;
    expect(await syncAfter(after)).toMatchObject({ messages: messages.slice(-2), after, has_earlier: true });
    expect(bodiesOf(await syncAfter(messages.at(-1)!.id))).toEqual([]);
  });

  it('brings all messages since, though they are more than a page, so that there is no gap [live-8]', async () => {
    const { messages } = await page();
    const later = Array.from({ length: 70 }, (_, place) => `Later ${place}`);
    for (const body of later) bff.service.addMessage(ticketId, 'agent', body);
    bff.clock.offsetMs = 5_000;
    expect(bodiesOf(await syncAfter(messages.at(-1)!.id))).toEqual(later);
  });

  it('brings a message of about the same time that appears late, before that message', async () => {
    const { messages } = await page();
    const { id, created_at } = messages.at(-1)!;
    const stored = bff.service.tickets.get(ticketId)!.messages;
    stored.splice(-1, 0, { id: 'late', author_type: 'agent', body: 'Me too.', created_at });
    bff.clock.offsetMs = 5_000;
    expect(bodiesOf(await syncAfter(id))).toEqual(['Me too.', bodies.at(-1)]);
  });

  it('brings the customer’s own unfinished message, whatever it continues from', async () => {
    const { messages } = await page();
    bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 429 } : undefined);
    const { data } = await ada.post(paths.messages(ticketId), { body: 'Still there?' });
    expect(await syncAfter(messages.at(-1)!.id)).toMatchObject({ messages: [{ key: data.key, id: null }] });
  });

  it('a stream that continues reports later answers, and none that the browser has', async () => {
    const { messages } = await page();
    const stream = await streams.listen(ada.cookie, ticketId, messages.at(-1)!.id);
    bff.service.addMessage(ticketId, 'agent', 'On its way.');
    await expect.poll(() => stream.of('message').map(({ message }) => message.body)).toEqual(['On its way.']);
  });
});
