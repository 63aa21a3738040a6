import { silent, type Check } from '../check.ts';
import { show } from '../client.ts';
import { need } from '../need.ts';

const section = '7';

export const errorChecks: Check[] = [
  {
    section: '1',
    rule: 'Answers are JSON',
    run: async ({ call, ticket }) => {
      const answer = await call(`/tickets/${(await ticket()).id}`);
      const type = answer.headers.get('content-type') ?? 'no Content-Type';
      need(/^application\/json\b/i.test(type) && answer.json !== undefined, type);
    },
  },
  {
    section,
    rule: 'An invalid request body',
    run: async ({ create }) => silent(show(await create({ subject: '' }))),
  },
  {
    section,
    rule: 'A body that is not JSON',
    run: async ({ call }) => silent(show(await call('/tickets', { method: 'POST', rawBody: '{"subject":' }))),
  },
  {
    section,
    rule: 'A JSON body sent as text/plain',
    run: async ({ call }) => {
      const rawBody = '{"subject":""}';
      return silent(show(await call('/tickets', { method: 'POST', rawBody, contentType: 'text/plain' })));
    },
  },
  {
    section,
    rule: 'A body of 1 MB',
    run: async ({ create }) => silent(show(await create({ description: 'x'.repeat(1_000_000) }))),
  },
  {
    section,
    rule: 'Body of a 404',
    run: async ({ call }) => silent(show(await call('/tickets/00000000-0000-4000-8000-000000000000'))),
  },
  {
    section,
    rule: 'A method that is not documented (DELETE /tickets)',
    run: async ({ call }) => silent(show(await call('/tickets', { method: 'DELETE' }))),
  },
  {
    section: '8',
    rule: 'Rate limit headers',
    run: async ({ call }) => {
      const { headers } = await call('/tickets?limit=1');
      const names = [...headers.keys()].filter((name) => /rate-?limit|retry-after/i.test(name));
      return silent(names.length === 0 ? 'none' : names.join(', '));
    },
  },
  {
    section: '7',
    rule: 'Date header',
    run: async ({ call }) => silent((await call('/tickets?limit=1')).headers.get('date') ?? 'none'),
  },
];
