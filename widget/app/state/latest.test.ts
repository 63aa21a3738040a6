import { expect, it } from 'vitest';
import { aMessage, aThread, aTicket } from '../testing/fakes.ts';
import { withOwnWords } from './latest.ts';

const listed = aTicket({
  updated_at: '2026-11-21T11:00:00Z',
  preview: { author_type: 'agent', text: 'On its way' },
});
const own = (created_at: string | null, more = {}) =>
  aThread([aMessage({ id: 'own', key: null, body: 'Thank you!', created_at, ...more })]);

it.each(['2026-11-21T12:00:00Z', null])('the customer’s later words stand in the list: %s', (at) => {
  const { preview, updated_at } = withOwnWords(listed, own(at), []);
  expect(preview).toEqual({ author_type: 'customer', text: 'Thank you!' });
  expect(updated_at).toBe(at ?? listed.updated_at);
});

it.each([
  ['older', own('2026-11-21T10:00:00Z')],
  ['withheld', own('2026-11-21T12:00:00Z', { hidden: true })],
  ['an agent’s', own('2026-11-21T12:00:00Z', { author_type: 'agent' })],
  ['not known here', undefined],
])('words that are %s leave the list as it is', (_, thread) => {
  expect(withOwnWords(listed, thread, [])).toBe(listed);
});
