import { unchecked, type Check } from '../check.ts';
import { at, show, type Call } from '../client.ts';
import { need } from '../need.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

const endpoints: [path: string, call: Call][] = [
  ['/tickets', {}],
  ['/tickets', { method: 'POST', body: {} }],
  [`/tickets/${unknownId}`, {}],
  [`/tickets/${unknownId}/messages`, { method: 'POST', body: { body: 'x' } }],
];

/** A rule that every endpoint answers 401 with the documented body for this Authorization header. */
function refused(rule: string, authorization: string | null): Check {
  return {
    section: '5, 7',
    rule,
    run: async ({ call }) => {
      for (const [path, request] of endpoints) {
        const answer = await call(path, { ...request, authorization });
        const seen = `${request.method ?? 'GET'} ${path}: ${show(answer)}`;
        need(answer.status === 401, seen);
        const isExact = JSON.stringify(answer.json) === '{"error":"Unauthorized"}';
        need(isExact, seen);
      }
    },
  };
}

export const authenticationChecks: Check[] = [
  {
    section: '1',
    rule: 'The service is served over HTTPS',
    run: async ({ options }) =>
      options.url.startsWith('https:') ? undefined : unchecked('the given address is not https'),
  },
  refused('No key: 401 { "error": "Unauthorized" } on every endpoint', null),
  refused('A malformed Authorization header: 401 likewise', 'Bearer'),
  refused('Another scheme than Bearer: 401 likewise', 'Basic Y29udHJhY3Q6Y2hlY2s='),
  refused('An unknown key: 401 likewise', `Bearer ${'contract-check-'.repeat(3)}`),
  {
    section: '5, 7',
    rule: 'A revoked key: 401 likewise',
    run: async (walk) => {
      const { revokedKey } = walk.options;
      if (revokedKey === undefined) return unchecked('needs --revoked-key');
      return refused('', `Bearer ${revokedKey}`).run(walk);
    },
  },
  {
    section: '5',
    rule: 'Tickets of another workspace are never listed, fetched or written to',
    run: async ({ options, call, ticket, message }) => {
      if (options.otherKey === undefined) return unchecked('needs --other-key, a key of another workspace');
      const { id } = await ticket();
      const authorization = `Bearer ${options.otherKey}`;
      const list = await call('/tickets?limit=50', { authorization });
      const listed = at(list.json, 'data');
      need(list.status === 200 && Array.isArray(listed), `list with the other key: ${show(list)}`);
      need(!listed.some((entry) => at(entry, 'id') === id), 'the other workspace lists the ticket');
      const read = await call(`/tickets/${id}`, { authorization });
      need(read.status === 404, `get with the other key: ${show(read)}`);
      const body = { body: 'x' };
      const written = await call(`/tickets/${id}/messages`, { method: 'POST', body, authorization });
      need(written.status === 404, `message with the other key: ${show(written)}`);
      const own = await message(id, { body: '[contract check] after the other workspace tried' });
      need(own.status === 201, `message with the own key: ${show(own)}`);
    },
  },
];
