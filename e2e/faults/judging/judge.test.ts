import { describe, expect, it } from 'vitest';
import type { Sent } from '../customers/sent.ts';
import { type Evidence, judge } from './judge.ts';
import type { StoredTicket } from '../servers/service.ts';

const email = 'ada@example.com';

const ticket = (more: Partial<Sent> = {}): Sent => ({
  key: 'opening',
  email,
  text: 'It is chipped.',
  files: [],
  opening: null,
  subject: 'The lid',
  told: ['accepted', 'done'],
  wasUndecided: false,
  end: 'done',
  refusal: null,
  ticketId: 't1',
  messageId: null,
  ...more,
});
const reply = (opening: Sent, messageId: string, more: Partial<Sent> = {}) =>
  ticket({ key: messageId, text: 'Any news?', subject: '', opening, messageId, ...more });
const stored = (more: Partial<StoredTicket> = {}): StoredTicket => ({
  id: 't1',
  email,
  subject: 'The lid',
  description: 'It is chipped.',
  messages: [],
  ...more,
});
const message = (id: string, body = 'Any news?') => ({ id, body });

const verdict = (evidence: Partial<Evidence>) =>
  judge({ sent: [], stored: [], wasRefused: () => false, ...evidence });

describe('judge', () => {
  const opening = ticket();

  it('accepts messages that were reported as sent and exist once, with or without footer', () => {
    const footer = stored({ description: 'It is chipped.\n\nDeskside: e-mail not verified · ref DS-1' });
    const sent = [opening, reply(opening, 'm1'), reply(opening, 'm2')];
    const messages = [message('m1'), message('m2')];
    expect(verdict({ sent, stored: [stored({ messages })] })).toStrictEqual([]);
    expect(verdict({ sent: [opening], stored: [footer] })).toStrictEqual([]);
  });

  it('accepts a message that is looked up again, if it is reported as sent in the end', () => {
    const again = ticket({ told: ['done', 'sending', 'done'] });
    expect(verdict({ sent: [again], stored: [stored()], looksAgain: true })).toStrictEqual([]);
    expect(verdict({ sent: [again], stored: [stored()] })).toEqual([expect.stringMatching(/^taken back/)]);
    const lost = ticket({ told: ['done', 'unknown'], end: 'undecided' });
    expect(verdict({ sent: [lost], stored: [stored()], looksAgain: true }).join()).toContain('taken back');
  });

  it.each([
    ['a ticket that was told sent and is not there', [opening], [], 'lost'],
    ['a reply that is not there', [opening, reply(opening, 'm1')], [stored()], 'lost'],
    [
      'two equal replies told sent by one message',
      [opening, reply(opening, 'm1'), reply(opening, 'm1', { key: 'other' })],
      [stored({ messages: [message('m1')] })],
      'lost: one id',
    ],
    ['a ticket that is there twice', [opening], [stored(), stored({ id: 't2' })], 'duplicated'],
    [
      'a reply that is there twice',
      [opening, reply(opening, 'm1')],
      [stored({ messages: [message('m1'), message('m2')] })],
      'duplicated',
    ],
    [
      'a rejected reply that is there',
      [opening, reply(opening, 'm1', { end: 'rejected', told: ['rejected'], messageId: null })],
      [stored({ messages: [message('m1')] })],
      'duplicated',
    ],
    [
      'a reply in a ticket that it was not sent to',
      [opening],
      [stored({ messages: [message('m1')] })],
      'duplicated: a reply that nobody sent',
    ],
    [
      'a send that the BFF has forgotten',
      [ticket({ end: 'forgotten', told: ['accepted'], ticketId: null })],
      [],
      'lost: the BFF',
    ],
    ['a send without an end', [ticket({ end: 'unsettled', told: ['unknown'] })], [stored()], 'no definite'],
    [
      'what was told sent and is not any more',
      [ticket({ told: ['done', 'unknown', 'done'] })],
      [stored()],
      'taken back',
    ],
    [
      'replies in another order',
      [opening, reply(opening, 'm1', { text: 'One' }), reply(opening, 'm2', { text: 'Two' })],
      [stored({ messages: [message('m2', 'Two'), message('m1', 'One')] })],
      'out of order',
    ],
  ])('finds %s', (_, sent, there, expected) => {
    expect(verdict({ sent, stored: there })).toContainEqual(expect.stringContaining(expected));
  });

  it('accepts an undecided message whether it exists or not', () => {
    const undecided = ticket({ end: 'undecided', told: ['unknown'], ticketId: null, wasUndecided: true });
    expect(verdict({ sent: [undecided] })).toStrictEqual([]);
    expect(verdict({ sent: [undecided], stored: [stored()] })).toStrictEqual([]);
  });

  it('accepts a rejection only when the service has refused the message or its ticket', () => {
    const rejected = ticket({ end: 'rejected', told: ['rejected'], ticketId: null });
    const held = reply(rejected, 'm1', { end: 'rejected', told: ['rejected'], messageId: null });
    expect(verdict({ sent: [rejected], wasRefused: () => true })).toStrictEqual([]);
    expect(verdict({ sent: [rejected, held], wasRefused: (send) => send === rejected })).toStrictEqual([]);
    expect(verdict({ sent: [rejected] })).toContainEqual(expect.stringContaining('lost: rejected'));
  });

  it('does not require the original order for messages that the customer decided on late', () => {
    const late = reply(opening, 'm2', { text: 'One', wasUndecided: true });
    const sent = [opening, late, reply(opening, 'm1', { text: 'Two' })];
    const messages = [message('m1', 'Two'), message('m2', 'One')];
    expect(verdict({ sent, stored: [stored({ messages })] })).toStrictEqual([]);
  });
});
