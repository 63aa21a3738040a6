import { expect, it } from 'vitest';
import { en } from '../../../shared/i18n/en.ts';
import type { ShownMessage } from '../outbox/sends.ts';
import type { App } from '../app.ts';
import { aThread, aTicket } from '../testing/fakes.ts';
import { transcriptOf } from './ThreadMenu.tsx';

const message = (author_type: 'agent' | 'customer', body: string, more: Partial<ShownMessage> = {}) =>
  ({
    author_type,
    body,
    created_at: '2026-11-23T10:00:00Z',
    state: 'done',
    hidden: false,
    ...more,
  }) as ShownMessage;
const app = {
  s: en,
  fullTime: () => 'Nov 23, 10:00',
  settings: { value: { brand: 'Acme' } },
  session: { current: { value: null } },
  tickets: { thread: () => aThread([], { has_earlier: true }) },
} as unknown as App;

it('a transcript has subject and number, then each message with its files under author and time, and no hidden one', () => {
  const messages = [
    message('customer', 'Where is it?'),
    message('customer', '', { hidden: true }),
    message('agent', 'On its way.\nSoon!'),
    message('customer', 'Thanks', { created_at: null, state: 'rejected' }),
    message('customer', '', {
      files: [{ name: 'a.png', size: 1, url: 'https://b.test/f/1/a.png', width: 1, height: 1 }],
    }),
  ];
  expect(transcriptOf(app, aTicket(), messages)).toBe(
    'My order (#7)\n\n…\n\nYou, Nov 23, 10:00\nWhere is it?\n\nAcme, Nov 23, 10:00\nOn its way.\nSoon!\n\nYou, Not sent\nThanks\n\nYou, Nov 23, 10:00\na.png: https://b.test/f/1/a.png\n',
  );
});
