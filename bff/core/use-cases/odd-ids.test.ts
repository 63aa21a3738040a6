import { afterEach, beforeEach, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { startStreams } from '../../testing/streams.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

/** Makes the service give the next ticket this id. */
const nextId = (id: string) => {
  bff.service.answer = ({ method, path, body }) => {
    if (method !== 'POST' || path !== '/api/v1/tickets') return undefined;
    bff.service.answer = undefined;
    const { messages, customer, ...data } = bff.service.addTicket({ ...body, id });
    return { statusCode: 201, data: JSON.stringify({ data }) };
  };
};

it.each(['1042', 'ACME/42', 'a b+c', '50%', 'a%2Fb', 'ü?x=1#y', '...'])(
  'a ticket that the service calls %j can be read, answered and followed',
  async (id) => {
    nextId(id);
    const browser = bff.browser();
    const opened = await browser.openTicket();
    expect([opened.status, opened.data.id]).toEqual([201, id]);
    expect((await browser.get(paths.ticket(id))).data.id).toBe(id);
    expect((await browser.post(paths.messages(id), { body: 'And more' })).status).toBe(201);
    expect((await browser.request('POST', paths.read(id), { message_id: 'description' })).status).toBe(200);
    expect(bff.service.tickets.get(id)!.messages.map(({ body }) => body)).toContain('And more');
    const streams = await startStreams(bff);
    const stream = await streams.listen(browser.cookie, id);
    expect(stream.of('sync')[0].thread.id).toBe(id);
    stream.stop();
  },
);

it('a ticket whose id cannot be part of a path is in doubt, and not sent again by itself', async () => {
  nextId('..');
  const { status, data } = await bff.browser().openTicket();
  expect([status, data.id, data.state]).toEqual([202, null, 'unknown']);
  expect(bff.service.writes()).toHaveLength(1);
});

it('a send under a key that no send can have is not found', async () => {
  const browser = bff.browser();
  await browser.openTicket();
  for (const key of ['%00', 'ü', 'x'.repeat(3_000)])
    expect((await browser.get(`/api/operations/${key}`)).status).toBe(404);
});
