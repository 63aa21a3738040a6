import { describe, expect, it } from 'vitest';
import type { FrameMessage } from '../bridge/messages.ts';
import { aMessage, aSession, aThread, aTicket, type fakeModels, http, settle } from '../app/testing/fakes.ts';
import { returning } from '../app/testing/steps.ts';
import { createHeadless } from './headless.ts';
import { type ClientCalls, isCall, readClientRequest } from './messages.ts';
import { Refused } from './refused.ts';

type Fakes = Pick<ReturnType<typeof fakeModels>, 'models'>;
/** The app, and what a page asks of it. */
function headlessOf<T extends Fakes>(fakes: T) {
  const { state, answer } = createHeadless(fakes.models);
  const ask = <Name extends keyof ClientCalls>(name: Name, ...args: Parameters<ClientCalls[Name]>) =>
    answer(name, args) as Promise<ReturnType<ClientCalls[Name]>>;
  return { ...fakes, state, answer, ask };
}
const ticket = { message: 'Where is my order? It should be here.', email: 'ana@example.com' };
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: Refused) => error,
  );

describe('the headless app', () => {
  it('sends a ticket, shows it while it is on its way, and leaves the draft of the widget alone', async () => {
    const { models, ask, state, push } = headlessOf(await returning({}, []));
    models.newTicket.set('description', 'A draft');
    const ref = await ask('openTicket', ticket);
    await settle();
    expect(state.value.tickets).toMatchObject([
      { id: null, key: ref, subject: 'Where is my order?', state: 'accepted' },
    ]);
    await push({ name: 'ticket', data: aTicket({ key: ref }) });
    expect(state.value.tickets).toMatchObject([{ id: 't1', key: ref, state: 'done' }]);
    expect(models.newTicket.fields.value.description).toBe('A draft');
  });

  it('sends what the page says for agents, without what is no attribute', async () => {
    const { models, ask } = headlessOf(await returning({}, []));
    const context = { plan: 'Pro', order: 4711, tags: ['a'] } as unknown as Record<string, string>;
    const key = await ask('openTicket', { ...ticket, context });
    expect(models.outbox.find(key)!.payload).toMatchObject({
      context: { attributes: { plan: 'Pro', order: 4711 } },
    });
  });

  it('refuses what the form would refuse, under the field names of the API, and sends nothing', async () => {
    const { ask, state } = headlessOf(await returning({}, []));
    const refusal = (await refusalOf(ask('openTicket', { message: '', email: 'nobody' })))!;
    expect(refusal).toBeInstanceOf(Refused);
    expect([refusal.code, refusal.fields]).toEqual([
      'invalid_request',
      { message: 'required', email: 'invalid' },
    ]);
    expect(state.value.tickets).toEqual([]);
  });

  it('shows the conversation that is followed, and replies to it', async () => {
    const thread = aThread([aMessage(), aMessage({ id: 'm2', author_type: 'agent', body: 'Soon' })]);
    const fakes = await returning({ calls: { ticket: async () => ({ ok: true, value: thread }) } }, [
      aTicket(),
    ]);
    const { ask, state } = headlessOf(fakes);
    await ask('follow', 't1');
    await settle();
    expect(state.value.conversation).toMatchObject({ ref: 't1', ticket: { id: 't1' }, failure: null });
    await ask('reply', 't1', ' Thanks ');
    await settle();
    const bodies = state.value.conversation!.messages.map(({ body, state: sent }) => [body, sent]);
    expect(bodies).toEqual([
      ['Where is my order?', 'done'],
      ['Soon', 'done'],
      ['Thanks', 'accepted'],
    ]);
    await ask('follow', null);
    expect(state.value.conversation).toBeNull();
  });

  it('says why a conversation cannot be read', async () => {
    const fakes = await returning({ calls: { ticket: async () => http('not_found') } }, []);
    const { ask, state } = headlessOf(fakes);
    await ask('follow', 't9');
    await settle();
    expect(state.value.conversation).toMatchObject({ ref: 't9', ticket: null, failure: 'not_found' });
  });

  it('refuses an empty reply, one to no known ticket, and one to a merged ticket', async () => {
    const { ask } = headlessOf(await returning({}, [aTicket({ closed: true })]));
    expect((await refusalOf(ask('reply', 't1', '  ')))!.fields).toEqual({ text: 'required' });
    expect((await refusalOf(ask('reply', 't9', 'Hello')))!.code).toBe('not_found');
    expect((await refusalOf(ask('reply', 't1', 'Hello')))!.code).toBe('conversation_merged');
  });

  it('gives a ticket back that the BFF has refused on screen, until it is sent again', async () => {
    const refusal = http('invalid_request', { fields: { customer_email: 'invalid' } });
    const fakes = await returning({ calls: { createTicket: async () => refusal } }, []);
    const { ask, state } = headlessOf(fakes);
    await ask('follow', await ask('openTicket', ticket));
    await settle();
    expect(state.value.refused).toMatchObject({
      code: 'invalid_request',
      fields: { email: 'invalid' },
      ticket: { message: ticket.message },
    });
    await ask('discard');
    expect(state.value.refused).toBeNull();
  });

  it('shows nothing of the last customer while the next one’s token is on its way [browser-39]', async () => {
    const { models, state, push } = headlessOf(await returning({}, []));
    const customer = { email: 'ana@example.com', name: 'Ana', verified: true, owner: 'ana' };
    const session = { ...aSession(), customer };
    await push({ name: 'sync', data: { session, tickets: [aTicket()], thread: null } });
    expect(state.value).toMatchObject({ tickets: [{ id: 't1' }], customer: { email: 'ana@example.com' } });
    models.customer.identity.expect();
    await settle();
    expect(state.value).toMatchObject({ tickets: null, customer: null, conversation: null, unread: 0 });
  });
});

describe('a call of the page', () => {
  it('waits until it is known who the customer is, and is stored as theirs [browser-41]', async () => {
    const { models, ask, push } = headlessOf(await returning({}, []));
    const session = (owner: string) => ({
      ...aSession(),
      customer: { email: `${owner}@example.com`, name: null, verified: true, owner },
    });
    await push({ name: 'sync', data: { session: session('ana'), tickets: [], thread: null } });
    models.customer.identity.expect();
    const opened = ask('openTicket', ticket);
    await settle();
    expect(models.outbox.sends.value).toEqual([]);
    models.session.put(session('ben'));
    models.session.isPending.value = false;
    const key = await opened;
    expect(models.outbox.find(key)?.owner).toBe('ben');
  });

  it.each([
    ['openTicket', 'a text'],
    ['openTicket', { message: { toString: 1 } }],
    ['reply', 't1'],
    ['reply', null, 'Hello'],
    ['follow', 7],
    ['constructor', 't1'],
    ['__proto__'],
  ])('with wrong arguments is refused, not left without an answer: %s', async (name, ...args) => {
    const { answer } = headlessOf(await returning({}, []));
    expect((await refusalOf(answer(name, args)))!.code).toBe('invalid_request');
  });

  it('may set optional fields to null', () => {
    expect(isCall('openTicket', [{ ...ticket, name: null, subject: undefined }])).toBe(true);
  });

  it.each<FrameMessage | null>([null, { type: 'open' }])('is no other message: %s', (message) => {
    expect(readClientRequest(message)).toBeNull();
  });
});
