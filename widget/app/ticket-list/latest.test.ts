import { expect, it } from 'vitest';
import { aMessage, aThread, aTicket } from '../testing/fakes.ts';
import { withOwnWords } from './TicketList.tsx';

const listed = aTicket({
  updated_at: '2026-11-21T11:00:00.180Z',
  preview: { author_type: 'agent', text: 'On its way' },
});
const answer = aMessage({ id: 'a', key: null, author_type: 'agent', body: 'On its way' });
const own = (more = {}) =>
  aThread([
    answer,
    aMessage({ id: 'own', body: 'Thank you!', created_at: '2026-11-21T11:00:00.100Z', ...more }),
  ]);

it('the customer’s last message is shown in the list, also while it is being sent', () => {
  for (const state of ['done', 'sending', 'accepted'] as const)
    expect(withOwnWords(listed, own({ state }), []).preview).toEqual({
      author_type: 'customer',
      text: 'Thank you!',
    });
});

it.each([
  ['followed by an answer that is not read', { ...listed, unread: 1 }, own()],
  ['withheld', listed, own({ hidden: true })],
  ['refused', listed, own({ state: 'rejected' })],
  ['an agent’s', listed, aThread([aMessage(), answer])],
  ['not known here', listed, undefined],
])('a message that is %s is not shown in the list', (_, summary, thread) => {
  expect(withOwnWords(summary, thread, [])).toBe(summary);
});
