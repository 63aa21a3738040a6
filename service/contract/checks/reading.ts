import { silent, unchecked, type Check } from '../check.ts';
import { at, show } from '../client.ts';
import { messageFaults, ticketFaults } from '../shapes.ts';
import type { Walk } from '../walk.ts';
import { need } from '../need.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

async function list({ call }: Walk, query: string): Promise<unknown[]> {
  const answer = await call(`/tickets${query}`);
  const data = at(answer.json, 'data');
  need(answer.status === 200 && Array.isArray(data), show(answer));
  return data;
}

const silentLimit = (limit: string): Check => ({
  section: '4.1',
  rule: `limit=${limit}`,
  run: async ({ call }) => {
    const answer = await call(`/tickets?limit=${limit}`);
    const data = at(answer.json, 'data');
    return silent(Array.isArray(data) ? `${answer.status} with ${data.length} tickets` : show(answer));
  },
});

export const listChecks: Check[] = [
  {
    section: '4.1',
    rule: 'Answers 200 { data: [Ticket, …] } with base fields only',
    run: async (walk) => {
      await walk.ticket();
      const tickets = await list(walk, '');
      need(tickets.length > 0, 'the list is empty');
      for (const ticket of tickets) {
        const faults = ticketFaults(ticket);
        need(faults.length === 0, faults.join('; '));
        need(at(ticket, 'customer') === undefined, 'a listed ticket has a customer');
        need(at(ticket, 'messages') === undefined, 'a listed ticket has messages');
      }
    },
  },
  {
    section: '4.1',
    rule: 'Newest first, a ticket just created on top',
    run: async (walk) => {
      const created = await walk.create();
      const tickets = await list(walk, '?limit=50');
      need(at(tickets[0], 'id') === at(created.json, 'data', 'id'), 'the newest ticket is not on top');
      const times = tickets.map((ticket) => Date.parse(String(at(ticket, 'created_at'))));
      need(
        times.every((time, index) => index === 0 || time <= times[index - 1]!),
        'created_at is not falling',
      );
    },
  },
  {
    section: '4.1',
    rule: 'limit is 20 when not given, and 1 and 50 are taken',
    run: async (walk) => {
      const [without, one, fifty] = [
        await list(walk, ''),
        await list(walk, '?limit=1'),
        await list(walk, '?limit=50'),
      ];
      need(one.length === 1, `limit=1 gives ${one.length}`);
      need(fifty.length <= 50, `limit=50 gives ${fifty.length}`);
      need(
        without.length === Math.min(20, fifty.length),
        `without limit: ${without.length} of ${fifty.length}`,
      );
    },
  },
  {
    section: '4.1',
    rule: 'A merged ticket is not listed',
    run: async (walk) => {
      const { mergedTicket } = walk.options;
      if (mergedTicket === undefined) return unchecked('needs --merged-ticket');
      const tickets = await list(walk, '?limit=50');
      need(!tickets.some((ticket) => at(ticket, 'id') === mergedTicket), 'it is listed');
    },
  },
  silentLimit('0'),
  silentLimit('51'),
  silentLimit('abc'),
  {
    section: '4.1',
    rule: 'status=solved (planned)',
    run: async (walk) => {
      const { length } = await list(walk, '?limit=50');
      const filtered = await walk.call('/tickets?limit=50&status=solved');
      const data = at(filtered.json, 'data');
      if (!Array.isArray(data)) return silent(show(filtered));
      return silent(data.length === length ? 'ignored' : `${data.length} of ${length} tickets`);
    },
  },
];

export const getChecks: Check[] = [
  {
    section: '4.3',
    rule: 'Answers 200 with the ticket, its customer and its messages',
    run: async ({ call, ticket }) => {
      const { id, email, name } = await ticket();
      const answer = await call(`/tickets/${id}`);
      const data = at(answer.json, 'data');
      need(answer.status === 200, show(answer));
      const faults = ticketFaults(data);
      need(faults.length === 0, faults.join('; '));
      need(at(data, 'id') === id, 'another ticket');
      need(
        at(data, 'customer', 'email') === email,
        `customer.email ${JSON.stringify(at(data, 'customer', 'email'))}`,
      );
      need(
        at(data, 'customer', 'name') === name,
        `customer.name ${JSON.stringify(at(data, 'customer', 'name'))}`,
      );
      const company = at(data, 'customer', 'company');
      need(company == null || typeof company === 'string', `customer.company ${JSON.stringify(company)}`);
      const messages = at(data, 'messages');
      need(Array.isArray(messages), 'messages is no array');
      const messageFault = messages.flatMap(messageFaults)[0];
      need(messageFault === undefined, `a message: ${messageFault}`);
    },
  },
  {
    section: '4.3',
    rule: 'An unknown ticket: 404',
    run: async ({ call }) => {
      const answer = await call(`/tickets/${unknownId}`);
      need(answer.status === 404, show(answer));
    },
  },
  {
    section: '2',
    rule: 'Internal notes are never returned',
    run: async () =>
      unchecked('write an internal note on a ticket in the application, then fetch the ticket'),
  },
  {
    section: '4.3',
    rule: 'Whether the description is also the first message',
    run: async ({ call, create }) => {
      const created = await create();
      const answer = await call(`/tickets/${String(at(created.json, 'data', 'id'))}`);
      const messages = at(answer.json, 'data', 'messages');
      if (!Array.isArray(messages)) return silent(show(answer));
      return silent(messages.length === 0 ? 'no' : `yes (${messages.length} message)`);
    },
  },
  {
    section: '4.3',
    rule: 'company of a customer without one',
    run: async ({ call, ticket }) => {
      const answer = await call(`/tickets/${(await ticket()).id}`);
      return silent(JSON.stringify(at(answer.json, 'data', 'customer', 'company')) ?? 'missing');
    },
  },
  {
    section: '4.3',
    rule: 'A malformed ticket id',
    run: async ({ call }) => silent(show(await call('/tickets/contract-check'))),
  },
  {
    section: '4.3',
    rule: 'Fetching a merged ticket',
    run: async ({ call, options }) => {
      if (options.mergedTicket === undefined) return unchecked('needs --merged-ticket');
      const answer = await call(`/tickets/${options.mergedTicket}`);
      return silent(answer.status === 200 ? '200, like any other' : show(answer));
    },
  },
];
