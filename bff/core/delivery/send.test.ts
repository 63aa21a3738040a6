import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { type TestBrowser, ticketBody } from '../../testing/browser.ts';
import type { Call, FakeTicket, Reply } from '../../testing/fake-service.ts';
import { until } from '../../testing/streams.ts';

let bff: TestBff;
let ada: TestBrowser;
beforeEach(async () => {
  bff = await startBff({ settleMs: 300 });
  ada = bff.browser();
});
afterEach(() => bff.stop());

const created = (data: object): Reply => ({ statusCode: 201, data: JSON.stringify({ data }) });
const withoutThread = ({ messages, customer, ...fields }: FakeTicket) => fields;

/** Lets the next POST have this answer. The others are answered as usual. */
function answerNextPost(answer: (call: Call) => Reply) {
  bff.service.answer = (call) => {
    if (call.method !== 'POST') return undefined;
    bff.service.answer = undefined;
    return answer(call);
  };
}

const becomesDone = (key: string) =>
  until(async () => expect((await ada.get(paths.operation(key))).data).toMatchObject({ state: 'done' }));
const listedIds = async () => (await ada.get(paths.tickets)).data.map(({ id }: { id: string }) => id);

describe('a new ticket', () => {
  it.each([
    [
      'that another Deskside ticket answers',
      'Secret.\n\nDeskside: e-mail not verified · ref DS-0123456789AB',
    ],
    ['that a ticket without a ref answers', 'Secret.'],
  ])('%s is in doubt, and found under its own id [isolation-44]', async (_what, description) => {
    const foreign = bff.service.addTicket({ description, customer: { email: 'bob@example.com' } });
    let ownId = '';
    answerNextPost(({ body }) => {
      ownId = bff.service.addTicket({ ...body }).id;
      return created(withoutThread(foreign));
    });
    const key = randomUUID();
    await ada.openTicket({}, key);
    await becomesDone(key);
    expect(await listedIds()).toEqual([ownId]);
    expect((await ada.get(paths.ticket(foreign.id))).status).toBe(404);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('whose text the service changes is confirmed by a read of the ticket', async () => {
    answerNextPost(({ body }) => {
      const ticket = bff.service.addTicket({ ...body, description: '&lt;changed&gt;' });
      return created(withoutThread(ticket));
    });
    expect((await ada.openTicket()).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('whose answer is an id alone is confirmed by a read of the ticket', async () => {
    answerNextPost(({ body }) => created({ id: bff.service.addTicket({ ...body }).id }));
    expect((await ada.openTicket()).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(1);
  });
});

describe('a reply', () => {
  let id: string;
  beforeEach(async () => {
    id = (await ada.openTicket({ ...ticketBody })).data.id;
    bff.service.calls.length = 0;
  });
  const bodies = () => bff.service.tickets.get(id)!.messages.map(({ body }) => body);

  it.each(['agent', 'customer'])(
    'that another message of a %s answers is not confirmed, and sent once when the customer asks [delivery-32]',
    async (author) => {
      const other = bff.service.addTicket();
      const answer = bff.service.addMessage(author === 'agent' ? id : other.id, author, 'Something else.');
      answerNextPost(() => created(answer));
      const key = randomUUID();
      const { status, data } = await ada.post(paths.messages(id), { body: 'Still here.' }, key);
      expect([status, data.state, data.can_retry]).toEqual([202, 'unknown', true]);
      await ada.post(paths.retry(key), {});
      await becomesDone(key);
      expect(bodies().filter((body) => body === 'Still here.')).toHaveLength(1);
    },
  );

  it('whose text the service changes is confirmed by a read of the ticket, and sent once', async () => {
    answerNextPost(() => created(bff.service.addMessage(id, 'customer', '&lt;changed&gt;')));
    expect((await ada.post(paths.messages(id), { body: '<changed>' })).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(1);
    expect(bodies()).toEqual(['&lt;changed&gt;']);
  });

  it('that another message answers is found if the service has executed it', async () => {
    answerNextPost(({ body }) => {
      bff.service.addMessage(id, 'customer', String(body['body']));
      return created(bff.service.addMessage(id, 'agent', 'Something else.'));
    });
    expect((await ada.post(paths.messages(id), { body: 'Still here.' })).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('is confirmed without a read when the answer repeats it', async () => {
    expect((await ada.post(paths.messages(id), { body: 'Hello' })).status).toBe(201);
    expect(bff.service.calls.map(({ method }) => method)).toEqual(['POST']);
  });

  it('whose answer has no text is confirmed by a read', async () => {
    answerNextPost(() => created({ ...bff.service.addMessage(id, 'customer', 'Hello'), body: undefined }));
    expect((await ada.post(paths.messages(id), { body: 'Hello' })).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(1);
  });
});

it('a read that is answered with another ticket shows nothing of it [isolation-45]', async () => {
  const { data } = await ada.openTicket();
  const foreign = bff.service.addTicket({ description: 'Secret.' });
  bff.service.addMessage(foreign.id, 'agent', 'Secret.');
  bff.service.answer = ({ method }) =>
    method === 'GET' ? { statusCode: 200, data: JSON.stringify({ data: foreign }) } : undefined;
  const read = await ada.get(paths.ticket(data.id));
  expect(read.data.messages.map(({ body }: { body: string }) => body)).toEqual([ticketBody.description]);
  expect(JSON.stringify(read)).not.toContain('Secret');
});
