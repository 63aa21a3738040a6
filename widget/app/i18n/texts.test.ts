import { expect, it } from 'vitest';
import { en } from '../../../shared/i18n/en.ts';
import { createWords, fill, withTexts } from './words.ts';

it('a site’s texts replace the sentences that they name', () => {
  const s = withTexts(en, { newTicket: 'Ask us', 'fields.subject': 'About', 'unread.one': '{count} note' });
  expect(s).toEqual({
    ...en,
    newTicket: 'Ask us',
    fields: { ...en.fields, subject: 'About' },
    unread: { ...en.unread, one: '{count} note' },
  });
  const words = createWords(s, 'en');
  expect(words.fieldErrorText('required', 'subject')).toBe('Please fill in “About”');
  expect(words.count(s.unread, 1)).toBe('1 note');
});

it.each([
  ['no texts', undefined],
  ['unknown names', { neu: 'x', 'fields.phone': 'x', __proto__: { polluted: 'x' }, 'toString.name': 'x' }],
  ['texts in the place of groups', { fields: 'x', unread: 'x' }],
  ['what is no text', { newTicket: 1, start: null, send: { toString: () => 'x' }, close: ['x'] }],
  ['no object', 'newTicket'],
])('every sentence stays for %s', (_, texts) => {
  expect(withTexts(en, texts as Record<string, unknown>)).toEqual(en);
});

it('the given sentences are not changed', () => {
  withTexts(en, { send: 'Go' });
  expect(en.send).toBe('Send');
});

it('an unknown placeholder is shown as it was written', () => {
  expect(fill('{count} of {all}', { count: '2' })).toBe('2 of {all}');
});
