import { describe, expect, it } from 'vitest';
import type { OperationRow } from '../store/schema.ts';
import { createSeal } from '../store/seal.ts';
import { v1Thread } from '../v1/schema.ts';
import { mailSession } from './by-mail.ts';
import { agentMessagesUpTo, factsOf, presentMessages, readBodies } from './present.ts';

const seal = createSeal('a secret of more than thirty-two characters');
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const message = (id: string, author_type: string, body: string, minute: number) => ({
  id,
  author_type,
  body,
  created_at: at(minute),
});
const thread = (more: object = {}) =>
  v1Thread.parse({
    id: 't1',
    subject: 'Lid',
    description: 'It is chipped',
    status: 'new',
    created_at: at(0),
    messages: [],
    ...more,
  });

const operation = (more: Partial<OperationRow>): OperationRow => ({
  seq: 1,
  id: 'op',
  subject_id: 'me',
  session_id: 's',
  key: 'key-1',
  kind: 'message',
  fingerprint: '',
  ticket_id: 't1',
  payload_sealed: seal.seal('operations.payload', { body: 'My reply' }),
  ref: 'DS-000000000001',
  state: 'done',
  error: null,
  attempts: 1,
  created_at: Date.parse(at(5)),
  due_at: null,
  started_at: null,
  seen_ids: null,
  started_there: null,
  attempt_age_ms: 0,
  opened_by: null,
  with_ref: null,
  fence: 0,
  lease_until: null,
  ambiguous: 0,
  upstream_id: 'm1',
  finished_at: Date.parse(at(5)),
  address_hash: null,
  owned: 0,
  ...more,
});

const show = (read: ReturnType<typeof thread>, sent: OperationRow[] = [], isTrusted = false) =>
  presentMessages(read, Date.parse(at(30)), sent, { isTrusted, isColleague: false, seal });
const bodies = (read: ReturnType<typeof thread>, sent: OperationRow[] = []) =>
  show(read, sent).map(({ body }) => body);

describe('a conversation', () => {
  it('starts with the description, whether or not the service repeats it as first message', () => {
    const answer = message('m2', 'agent', 'Sorry!', 2);
    const repeated = message(
      'm0',
      'customer',
      'It is chipped\n\nDeskside: e-mail not verified · ref DS-000000000001',
      0,
    );
    expect(bodies(thread({ messages: [answer] }))).toEqual(['It is chipped', 'Sorry!']);
    expect(bodies(thread({ messages: [repeated, answer] }))).toEqual(['It is chipped', 'Sorry!']);
    expect(bodies(thread({ description: undefined, messages: [answer] }))).toEqual(['Sorry!']);
  });

  it('withholds what was mailed also where the service has cut off that it was [mail-24]', () => {
    const mailed = message('m1', 'customer', 'My number is 0049\n\nBy mail from ada@example.com', 5);
    const read = thread({ messages: [mailed] });
    const sent = [operation({ session_id: mailSession.withheld })];
    expect(bodies(read, sent)).toEqual(['It is chipped', '']);
    expect(show(read, sent, true)[1]).toMatchObject({ hidden: false });
  });

  it('keeps a reply with the same text as the description', () => {
    const same = message('m1', 'customer', 'It is chipped', 5);
    const sent = operation({ payload_sealed: seal.seal('operations.payload', { body: 'It is chipped' }) });
    expect(bodies(thread({ messages: [same] }), [sent])).toEqual(['It is chipped', 'It is chipped']);
  });

  it('is in order of time, whatever the order of the service', () => {
    const messages = [
      message('b', 'agent', 'second', 3),
      message('a', 'agent', 'first', 1),
      message('c', 'agent', 'third', 9),
    ];
    expect(bodies(thread({ messages })).slice(1)).toEqual(['first', 'second', 'third']);
  });

  it('keeps a message without a readable time after the previous one', () => {
    const messages = [
      message('a', 'agent', 'first', 1),
      { id: 'x', author_type: 'agent', body: 'odd', created_at: 'soon' },
      message('c', 'agent', 'last', 9),
    ];
    const shown = show(thread({ messages }));
    expect(shown.map(({ body }) => body).slice(1)).toEqual(['first', 'odd', 'last']);
    expect(shown[2]!.created_at).toBeNull();
  });

  it('shows any author but a customer as the desk', () => {
    const messages = ['agent', 'bot', 'Customer', undefined].map((author_type, i) => ({
      id: `m${i}`,
      author_type,
      body: 'x',
      created_at: at(i + 1),
    }));
    expect(
      show(thread({ messages }), [], true)
        .slice(1)
        .map(({ author_type }) => author_type),
    ).toEqual(['agent', 'agent', 'customer', 'agent']);
  });

  it('hides customer messages that came another way from viewers who have not proven the address', () => {
    const read = thread({
      messages: [message('m7', 'customer', 'By mail', 3), message('m1', 'customer', 'My reply', 5)],
    });
    expect(show(read, [operation({})])).toMatchObject([
      {},
      { hidden: true, body: '' },
      { hidden: false, body: 'My reply', key: 'key-1' },
    ]);
    expect(show(read, [operation({})], true)[1]).toMatchObject({ hidden: false, body: 'By mail' });
  });

  it('shows a send in doubt once, though the service has it already', () => {
    const read = thread({ messages: [message('m1', 'customer', 'My reply', 5)] });
    const inDoubt = operation({ state: 'unknown', upstream_id: null, finished_at: null, due_at: 1 });
    expect(show(read, [inDoubt]).slice(1)).toEqual([
      expect.objectContaining({ key: 'key-1', state: 'unknown', body: 'My reply' }),
    ]);
  });

  it('has a reply that was confirmed after the read, and not one that was removed long ago', () => {
    const sent = operation({ finished_at: Date.parse(at(30)) + 1 });
    expect(bodies(thread(), [sent])).toEqual(['It is chipped', 'My reply']);
    expect(bodies(thread(), [operation({})])).toEqual(['It is chipped']);
  });
});

it('the reading of many long texts lets others have their turn [overload-45]', async () => {
  const messages = ['1', '2', '3'].map((id) => message(id, 'customer', '\u0301'.repeat(20_000), 1));
  const order: string[] = [];
  setImmediate(() => order.push('another request'));
  await readBodies(thread({ messages }));
  order.push('the texts');
  expect(order).toEqual(['another request', 'the texts']);
});

describe('reading leniently', () => {
  it('accepts a ticket that has little more than an id', () => {
    const read = v1Thread.parse({
      id: 42,
      customer: null,
      messages: [null, { body: 'no id' }, { id: 7, body: 'Hi' }],
      extra: [1],
    });
    expect(read).toMatchObject({
      id: '42',
      subject: '',
      status: 'open',
      ticket_number: null,
      created_at: null,
    });
    expect(show(read)).toMatchObject([{ id: '7', author_type: 'agent', body: 'Hi', created_at: null }]);
  });

  it('keeps unknown statuses as they are', () => {
    expect(thread({ status: 'waiting_on_third_party', ticket_number: '12' })).toMatchObject({
      status: 'waiting_on_third_party',
      ticket_number: 12,
    });
  });
});

it('the list shows the newest text that every holder may see', () => {
  const messages = [message('m1', 'agent', 'Sorry!', 2), message('m2', 'customer', 'By mail', 9)];
  expect(factsOf(thread({ messages }))).toMatchObject({
    preview: { author_type: 'agent', text: 'Sorry!' },
    updated_at: at(2),
  });
});

it('the read mark counts agents’ messages in the order shown', () => {
  const messages = [message('b', 'agent', 'second', 3), message('a', 'agent', 'first', 1)];
  expect(agentMessagesUpTo(thread({ messages }), 'a')).toBe(1);
  expect(agentMessagesUpTo(thread({ messages }), 'b')).toBe(2);
  expect(agentMessagesUpTo(thread({ messages }), 'nothing')).toBe(0);
});
