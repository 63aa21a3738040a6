import { describe, expect, it } from 'vitest';
import type { FrameMessage } from '../bridge/messages.ts';
import {
  aMessage,
  aSession,
  aThread,
  aTicket,
  type fakeSupport,
  http,
  settle,
} from '../app/testing/fakes.ts';
import { returning } from '../app/testing/steps.ts';
import { createHeadless, Refused } from './headless.ts';
import { isClientRequest } from './messages.ts';

type Fakes = Pick<ReturnType<typeof fakeSupport>, 'support' | 'clock'>;
const headlessOf = <T extends Fakes>(fakes: T) => ({
  ...fakes,
  ...createHeadless({
    core: fakes.support,
    support: fakes.support,
    clock: fakes.clock,
    pageUrl: () => undefined,
  }),
});
const ticket = { message: 'Where is my order? It should be here.', email: 'ana@example.com' };
const refusalOf = (run: () => unknown) => {
  try {
    run();
    return null;
  } catch (error) {
    return error as Refused;
  }
};

describe('the headless app', () => {
  it('sends a ticket, shows it while it is on its way, and leaves the draft of the widget alone', async () => {
    const { support, calls, state, push } = headlessOf(await returning({}, []));
    support.newTicket.set('description', 'A draft');
    const ref = calls.openTicket(ticket);
    await settle();
    expect(state.value.tickets).toMatchObject([
      { id: null, key: ref, subject: 'Where is my order?', state: 'accepted' },
    ]);
    await push({ name: 'ticket', data: aTicket({ key: ref }) });
    expect(state.value.tickets).toMatchObject([{ id: 't1', key: ref, state: 'done' }]);
    expect(support.newTicket.fields.value.description).toBe('A draft');
  });

  it('refuses what the form would refuse, by the names of the site, and sends nothing', async () => {
    const { calls, state } = headlessOf(await returning({}, []));
    const refusal = refusalOf(() => calls.openTicket({ message: '', email: 'nobody' }))!;
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
    const { calls, state } = headlessOf(fakes);
    calls.follow('t1');
    await settle();
    expect(state.value.conversation).toMatchObject({ ref: 't1', ticket: { id: 't1' }, failure: null });
    calls.reply('t1', ' Thanks ');
    await settle();
    const bodies = state.value.conversation!.messages.map(({ body, state: sent }) => [body, sent]);
    expect(bodies).toEqual([
      ['Where is my order?', 'done'],
      ['Soon', 'done'],
      ['Thanks', 'accepted'],
    ]);
    calls.follow(null);
    expect(state.value.conversation).toBeNull();
  });

  it('says why a conversation cannot be read', async () => {
    const fakes = await returning({ calls: { ticket: async () => http('not_found') } }, []);
    const { calls, state } = headlessOf(fakes);
    calls.follow('t9');
    await settle();
    expect(state.value.conversation).toMatchObject({ ref: 't9', ticket: null, failure: 'not_found' });
  });

  it('refuses an empty reply, one to no known ticket, and one to a merged ticket', async () => {
    const { calls } = headlessOf(await returning({}, [aTicket({ closed: true })]));
    expect(refusalOf(() => calls.reply('t1', '  '))!.fields).toEqual({ text: 'required' });
    expect(refusalOf(() => calls.reply('t9', 'Hello'))!.code).toBe('not_found');
    expect(refusalOf(() => calls.reply('t1', 'Hello'))!.code).toBe('conversation_merged');
  });

  it('gives a ticket back that the BFF has refused on screen, until it is sent again', async () => {
    const refusal = http('invalid_request', { fields: { customer_email: 'invalid' } });
    const fakes = await returning({ calls: { createTicket: async () => refusal } }, []);
    const { calls, state } = headlessOf(fakes);
    calls.follow(calls.openTicket(ticket));
    await settle();
    expect(state.value.refused).toMatchObject({
      code: 'invalid_request',
      fields: { email: 'invalid' },
      ticket: { message: ticket.message },
    });
    calls.discard();
    expect(state.value.refused).toBeNull();
  });

  it('shows nothing of the last customer while the next one’s token is on its way [browser-39]', async () => {
    const { support, state, push } = headlessOf(await returning({}, []));
    const customer = { email: 'ana@example.com', name: 'Ana', verified: true, owner: 'ana' };
    const session = { ...aSession(), customer };
    await push({ name: 'sync', data: { session, tickets: [aTicket()], thread: null } });
    expect(state.value).toMatchObject({ tickets: [{ id: 't1' }], customer: { email: 'ana@example.com' } });
    support.customer.identity.expect();
    await settle();
    expect(state.value).toMatchObject({ tickets: null, customer: null, conversation: null, unread: 0 });
  });
});

describe('requests of a page', () => {
  const call = (name: string, ...args: unknown[]) => isClientRequest({ type: 'call', id: 1, name, args });

  it('are known by their names and the types of what they give', () => {
    expect(call('openTicket', ticket)).toBe(true);
    expect(call('follow', null)).toBe(true);
  });

  it.each([
    ['openTicket', 'a text'],
    ['openTicket', { message: { toString: 1 } }],
    ['reply', 't1'],
    ['follow', 7],
    ['constructor', 't1'],
    ['__proto__'],
  ])('are nothing else: %s', (name, ...args) => {
    expect(call(name, ...args)).toBe(false);
  });

  it.each<FrameMessage | null>([null, { type: 'open' }])('are no other message: %s', (message) => {
    expect(isClientRequest(message)).toBe(false);
  });
});
