import { expect, it } from 'vitest';
import { aSession, aTicket, fakeModels, newStore, settle } from '../testing/fakes.ts';
import type { View } from '../view.ts';

const read = aTicket({ id: 't1' });
const unread = (id: string) => aTicket({ id, unread: 2 });
const start: View = { name: 'start' };
const thread = (ref: string): View => ({ name: 'thread', ref });

it.each([
  ['the start', [read, unread('t2')], start, false, thread('t2')],
  ['the start, with several unread', [unread('t1'), unread('t2')], start, false, start],
  ['the start, with none unread', [read], start, false, start],
  ['the form', [read, unread('t2')], { name: 'new' }, true, { name: 'new' }],
  ['another conversation, again', [read, unread('t2')], thread('t1'), true, thread('t2')],
  [
    'another conversation, with several unread',
    [read, unread('t2'), unread('t3')],
    thread('t1'),
    true,
    start,
  ],
  ['one of several unread', [unread('t1'), unread('t2')], thread('t1'), true, thread('t1')],
  [
    'a conversation that stayed open on the last page',
    [read, unread('t2')],
    thread('t1'),
    false,
    thread('t1'),
  ],
] as const)('the panel opened at %s goes to what is unread', async (_, tickets, from, isAgain, to) => {
  const storage = newStore();
  storage.write('used', true);
  const { models, push } = fakeModels({ storage, isEmbedded: true });
  models.view.go(from);
  // Opened before the tickets are known.
  models.showUnread(isAgain);
  await settle();
  expect(models.view.current.peek()).toEqual(from);
  await push({ name: 'sync', data: { session: aSession(), tickets: [...tickets], thread: null } });
  expect(models.view.current.peek()).toEqual(to);
});
