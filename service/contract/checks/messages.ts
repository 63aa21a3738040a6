import { isRefusal, silent, unchecked, type Check } from '../check.ts';
import { at, show } from '../client.ts';
import { messageFaults } from '../shapes.ts';
import { need } from '../need.ts';

const section = '4.4';
const unknownId = '00000000-0000-4000-8000-000000000000';

const taken = (what: string, body: string): Check => ({
  section,
  rule: `${what} is taken`,
  run: async ({ ticket, message }) => {
    const answer = await message((await ticket()).id, { body });
    need(answer.status === 201, show(answer));
    need(at(answer.json, 'data', 'body') === body, 'the body comes back changed');
  },
});

const refused = (what: string, body: unknown): Check => ({
  section,
  rule: `${what} is refused`,
  run: async ({ ticket, message }) => {
    const answer = await message((await ticket()).id, { body });
    need(isRefusal(answer), show(answer));
  },
});

export const messageChecks: Check[] = [
  {
    section,
    rule: 'Answers 201 { data: { id, author_type, body, created_at } }, author_type "customer"',
    run: async ({ ticket, message }) => {
      const answer = await message((await ticket()).id, { body: '[contract check] a message' });
      need(answer.status === 201, show(answer));
      const faults = messageFaults(at(answer.json, 'data'));
      need(faults.length === 0, faults.join('; '));
      const author = at(answer.json, 'data', 'author_type');
      need(author === 'customer', `author_type ${JSON.stringify(author)}`);
    },
  },
  {
    section,
    rule: 'The message is then part of the conversation',
    run: async ({ ticket, message, call }) => {
      const { id } = await ticket();
      const added = await message(id, { body: '[contract check] is it there?' });
      const read = await call(`/tickets/${id}`);
      const messages = at(read.json, 'data', 'messages');
      const messageId = at(added.json, 'data', 'id');
      need(Array.isArray(messages) && messages.some((entry) => at(entry, 'id') === messageId), show(read));
    },
  },
  taken('body of 1 character', 'x'),
  taken('body of 20 000 characters', 'x'.repeat(20_000)),
  refused('body of 20 001 characters', 'x'.repeat(20_001)),
  refused('body empty', ''),
  refused('body missing', undefined),
  {
    section: '2',
    rule: 'An agent cannot be chosen as author',
    run: async ({ ticket, message }) => {
      const answer = await message((await ticket()).id, {
        body: '[contract check] not an agent',
        author_type: 'agent',
      });
      const isIgnored = answer.status === 201 && at(answer.json, 'data', 'author_type') === 'customer';
      need(isIgnored || isRefusal(answer), show(answer));
    },
  },
  {
    section,
    rule: 'An unknown ticket: 404',
    run: async ({ message }) => {
      const answer = await message(unknownId, { body: 'x' });
      need(answer.status === 404, show(answer));
    },
  },
  {
    section,
    rule: 'A merged ticket: 409',
    run: async ({ options, message }) => {
      if (options.mergedTicket === undefined) return unchecked('needs --merged-ticket');
      const answer = await message(options.mergedTicket, { body: '[contract check] to a merged ticket' });
      need(answer.status === 409, show(answer));
    },
  },
  {
    section: '3',
    rule: 'A message does not change the status',
    run: async ({ ticket, message, call }) => {
      const { id } = await ticket();
      const added = await message(id, { body: '[contract check] does the status stay?' });
      need(added.status === 201, show(added));
      const answer = await call(`/tickets/${id}`);
      const status = at(answer.json, 'data', 'status');
      need(status === 'new', `status ${JSON.stringify(status)} after messages by the customer alone`);
    },
  },
  {
    section: '6',
    rule: 'ticket.created and ticket.message.created reach subscribed endpoints',
    run: async () => unchecked('add a webhook endpoint in the application and watch it'),
  },
  {
    section,
    rule: 'Order of messages in a fetch',
    run: async ({ create, message, call }) => {
      const id = String(at((await create()).json, 'data', 'id'));
      for (const body of ['[contract check] one', '[contract check] two', '[contract check] three'])
        await message(id, { body });
      const messages = at((await call(`/tickets/${id}`)).json, 'data', 'messages');
      if (!Array.isArray(messages)) return silent('no messages');
      const order = messages.map((entry) => String(at(entry, 'body')).split(' ').at(-1));
      const sent = order.filter((word) => ['one', 'two', 'three'].includes(word ?? '')).join(', ');
      return silent(sent === 'one, two, three' ? 'oldest first' : sent);
    },
  },
  {
    section: '2',
    rule: 'updated_at after a message',
    run: async ({ create, message, call }) => {
      const created = await create();
      const id = String(at(created.json, 'data', 'id'));
      await message(id, { body: '[contract check] later' });
      const read = await call(`/tickets/${id}`);
      const isMoved = at(read.json, 'data', 'updated_at') !== at(created.json, 'data', 'updated_at');
      return silent(isMoved ? 'moves' : 'stays');
    },
  },
];
