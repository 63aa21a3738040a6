import { isRefusal, silent, type Check } from '../check.ts';
import { at, show } from '../client.ts';
import { ticketFaults } from '../shapes.ts';
import { need } from '../need.ts';

const section = '4.2';

/** An address of exactly `length` characters that is valid in all its parts. */
function emailOfLength(length: number, unique: string): string {
  const labels = `${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.com`;
  const local = `${unique}${'a'.repeat(64)}`.slice(0, 64);
  const padding = length - local.length - 1 - labels.length;
  return `${local}@${'c'.repeat(padding - 1)}.${labels}`;
}

/** A rule that `what`, given by these fields, is accepted. */
function taken(what: string, fields: (unique: string) => Record<string, unknown>): Check {
  return {
    section,
    rule: `${what} is taken`,
    run: async ({ create, newEmail }) => {
      const sent = fields(newEmail().replace(/\W/g, ''));
      const answer = await create(sent);
      need(answer.status === 201, show(answer));
      for (const name of ['subject', 'description', 'priority'])
        if (sent[name] !== undefined)
          need(at(answer.json, 'data', name) === sent[name], `${name} comes back changed`);
    },
  };
}

/** A rule that `what`, given by these fields, is refused. */
function refused(what: string, fields: (unique: string) => Record<string, unknown>): Check {
  return {
    section,
    rule: `${what} is refused`,
    run: async ({ create, newEmail }) => {
      const answer = await create(fields(newEmail().replace(/\W/g, '')));
      need(isRefusal(answer), show(answer));
    },
  };
}

export const creationChecks: Check[] = [
  {
    section,
    rule: 'Answers 201 { data: Ticket } with all base fields in their types',
    run: async ({ ticket, create }) => {
      const { data } = await ticket();
      const faults = ticketFaults(data);
      need(faults.length === 0, faults.join('; '));
      const { json } = await create();
      const names = Object.keys(Object(json)).join();
      need(names === 'data', `names around the result: ${names}`);
    },
  },
  {
    section,
    rule: 'A new ticket has status "new" and source "api"',
    run: async ({ ticket }) => {
      const { data } = await ticket();
      need(at(data, 'status') === 'new', `status ${JSON.stringify(at(data, 'status'))}`);
      need(at(data, 'source') === 'api', `source ${JSON.stringify(at(data, 'source'))}`);
    },
  },
  {
    section,
    rule: 'priority defaults to "medium"',
    run: async ({ ticket }) => {
      const { data } = await ticket();
      need(at(data, 'priority') === 'medium', `priority ${JSON.stringify(at(data, 'priority'))}`);
    },
  },
  ...['low', 'high', 'urgent'].map((priority) => taken(`priority "${priority}"`, () => ({ priority }))),
  refused('Another priority', () => ({ priority: 'asap' })),
  taken('subject of 1 character', () => ({ subject: 'x' })),
  taken('subject of 300 characters', () => ({ subject: '[contract check]'.padEnd(300, 'x') })),
  refused('subject of 301 characters', () => ({ subject: 'x'.repeat(301) })),
  refused('subject empty', () => ({ subject: '' })),
  refused('subject missing', () => ({ subject: undefined })),
  refused('subject that is no string', () => ({ subject: 7 })),
  taken('description of 1 character', () => ({ description: 'x' })),
  taken('description of 20 000 characters', () => ({ description: 'x'.repeat(20_000) })),
  refused('description of 20 001 characters', () => ({ description: 'x'.repeat(20_001) })),
  refused('description empty', () => ({ description: '' })),
  refused('description missing', () => ({ description: undefined })),
  taken('customer_email of 255 characters', (unique) => ({ customer_email: emailOfLength(255, unique) })),
  refused('customer_email of 256 characters', (unique) => ({ customer_email: emailOfLength(256, unique) })),
  refused('customer_email that is no address', () => ({ customer_email: 'contract check' })),
  refused('customer_email missing', () => ({ customer_email: undefined })),
  taken('customer_name of 1 character', () => ({ customer_name: 'x' })),
  taken('customer_name of 120 characters', () => ({ customer_name: 'x'.repeat(120) })),
  refused('customer_name of 121 characters', () => ({ customer_name: 'x'.repeat(121) })),
  refused('customer_name empty', () => ({ customer_name: '' })),
  {
    section,
    rule: 'The same address finds the same customer, and a later customer_name changes nothing',
    run: async ({ create, ticket, call }) => {
      const { data, email, name } = await ticket();
      const again = await create({ customer_email: email, customer_name: 'Somebody Else' });
      need(again.status === 201, show(again));
      const customerId = at(again.json, 'data', 'customer_id');
      need(customerId === at(data, 'customer_id'), `another customer_id: ${String(customerId)}`);
      const read = await call(`/tickets/${String(at(again.json, 'data', 'id'))}`);
      const shown = at(read.json, 'data', 'customer', 'name');
      need(shown === name, `the name is now ${JSON.stringify(shown)}`);
    },
  },
  {
    section,
    rule: 'Upper and lower case in customer_email',
    run: async ({ create, ticket }) => {
      const { data, email } = await ticket();
      const again = await create({ customer_email: email.toUpperCase() });
      if (again.status !== 201) return silent(show(again));
      const isSame = at(again.json, 'data', 'customer_id') === at(data, 'customer_id');
      return silent(isSame ? 'the same customer' : 'another customer');
    },
  },
  {
    section: '8',
    rule: 'How lengths are counted (subject of 300 emoji)',
    run: async ({ create }) => {
      const answer = await create({ subject: '🫖'.repeat(300) });
      if (answer.status !== 201) return silent(`not in code points: ${show(answer)}`);
      const isWhole = at(answer.json, 'data', 'subject') === '🫖'.repeat(300);
      return silent(isWhole ? 'in code points (or more generously)' : 'taken, but it comes back changed');
    },
  },
  {
    section,
    rule: 'Unknown fields in the body',
    run: async ({ create }) => {
      const answer = await create({ contract_check: true });
      return silent(answer.status === 201 ? 'ignored' : show(answer));
    },
  },
];
