import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';
import { type Call, connectionRefused } from '../../testing/fake-service.ts';
import { until } from '../../testing/streams.ts';

let bff: TestBff;
let isAway: boolean;
beforeEach(async () => {
  bff = await startBff({ timeoutMs: 300 });
  isAway = true;
  bff.service.answer = (call) => (isAway && isWrite(call) ? connectionRefused() : undefined);
});
afterEach(() => bff.stop());

const isWrite = ({ method }: Call) => method === 'POST';

/** Opens a ticket that the service does not have yet. Returns it with its key. */
async function waitingTicket() {
  const ada = bff.browser();
  const key = randomUUID();
  await bff.worker.stop();
  expect((await ada.openTicket({}, key)).status).toBe(202);
  await bff.worker.start();
  return { ada, key };
}

it('replies to a waiting ticket are accepted at once, and are sent in order once it exists', async () => {
  const { ada, key } = await waitingTicket();
  for (const body of ['One', 'Two', 'Three']) {
    const { status, data } = await ada.post(paths.messages(key), { body });
    expect([status, data.id, data.state]).toEqual([202, null, 'accepted']);
  }
  const waiting = await ada.get(paths.ticket(key));
  expect(waiting.data).toMatchObject({ id: null, key, read_at: null, closed: false });
  expect(waiting.data.messages.map(({ body }: { body: string }) => body)).toEqual([
    ticketBody.description,
    'One',
    'Two',
    'Three',
  ]);
  isAway = false;
  await until(() => {
    const [ticket] = [...bff.service.tickets.values()];
    expect(ticket?.messages.map(({ body }) => body)).toEqual(['One', 'Two', 'Three']);
  });
  const delivered = await ada.get(paths.ticket(key));
  expect(delivered.data).toMatchObject({ id: [...bff.service.tickets.keys()][0], key });
  expect((await ada.post(paths.messages(key), { body: 'Four' })).status).toBe(201);
});

it('replies to a refused ticket are refused with it, and can still be read', async () => {
  const { ada, key } = await waitingTicket();
  const reply = randomUUID();
  await ada.post(paths.messages(key), { body: 'One' }, reply);
  bff.service.answer = (call) => (isWrite(call) ? { statusCode: 422 } : undefined);
  await until(async () =>
    expect((await ada.get(paths.operation(reply))).data).toMatchObject({
      state: 'rejected',
      error: 'not_found',
    }),
  );
  const { data } = await ada.get(paths.ticket(key));
  expect(data).toMatchObject({ id: null, state: 'rejected', error: 'invalid_request' });
  expect(data.messages).toMatchObject([
    { body: ticketBody.description, state: 'rejected' },
    { body: 'One', state: 'rejected' },
  ]);
  expect(bff.service.writes().filter(({ path }) => path.endsWith('/messages'))).toEqual([]);
});

it('a waiting ticket is not visible to others, and cannot be marked as read', async () => {
  const { ada, key } = await waitingTicket();
  const eve = bff.browser();
  await eve.openTicket({ customer_email: 'eve@example.com' });
  expect((await eve.get(paths.ticket(key))).status).toBe(404);
  expect((await eve.post(paths.messages(key), { body: 'Hello' })).status).toBe(404);
  expect((await ada.request('POST', paths.read(key), { message_id: 'description' })).status).toBe(404);
});
