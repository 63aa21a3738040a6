import { expect, it } from 'vitest';
import { aMessage, aThread, aTicket } from '../testing/fakes.ts';
import { showConversation } from './viewed.ts';

it('the state of a ticket in the list is applied to its first message only', () => {
  const messages = [aMessage({ key: 'k1', state: 'accepted' }), aMessage({ id: 'm2' })];
  const opened = aTicket({ key: 'k1', state: 'unknown', can_retry: true });
  expect(showConversation(opened, aThread(messages), [])).toEqual([
    { ...messages[0], state: 'unknown', can_retry: true, error: null },
    messages[1],
  ]);
  const foreign = aTicket({ key: null, can_retry: true });
  expect(showConversation(foreign, aThread(messages), [])).toEqual(messages);
});
