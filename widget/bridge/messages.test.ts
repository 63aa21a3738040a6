import { describe, expect, it } from 'vitest';
import { isFrameMessage, readHostMessage, readSettings } from './messages.ts';

const hostile: unknown[] = [
  undefined,
  null,
  0,
  'open',
  [],
  () => 'ready',
  {},
  { type: 'constructor' },
  { type: '__proto__' },
  { type: 'hasOwnProperty' },
  { type: ['ready'] },
  { type: { toString: () => 'ready' } },
  { type: 'ready-set' },
];

describe('readHostMessage', () => {
  it.each<unknown>([
    { type: 'open' },
    { type: 'open', view: 'new' },
    { type: 'open', ticket: 'c0ffee' },
    { type: 'open', article: 'returns' },
    { type: 'closed' },
    { type: 'dropped' },
    { type: 'update', settings: {} },
    { type: 'prefill', fields: { email: 'a@example.com' } },
    { type: 'prefill', fields: { topic: 'order', fields: { 'order-number': 'AB-123456', urgent: true } } },
    { type: 'context', context: { page_title: 'Cart', attributes: { plan: 'Pro', seats: 3, trial: true } } },
    { type: 'identify', token: 'header.claims.signature' },
    { type: 'logout' },
    { type: 'diagnose' },
  ])('reads %j as it is', (message) => expect(readHostMessage(message)).toEqual(message));

  it.each<[unknown, unknown]>([
    [{ type: 'open', ticket: 7, view: 'settings', article: ['returns'], isTrusted: true }, { type: 'open' }],
    [
      {
        type: 'prefill',
        fields: { name: null, phone: 5, plan: {}, subject: { toString: 'x' }, email: 'a@b.example' },
      },
      { type: 'prefill', fields: { email: 'a@b.example' } },
    ],
    [
      { type: 'prefill', fields: { fields: { note: 'x', size: 5, gift: true } } },
      { type: 'prefill', fields: { fields: { note: 'x', gift: true } } },
    ],
    [
      { type: 'update', settings: { theme: 'drak', brand: 'Acme' } },
      { type: 'update', settings: { brand: 'Acme' } },
    ],
    [
      {
        type: 'context',
        context: {
          page_title: 5,
          page_url: 'https://a.example',
          attributes: { plan: 'Pro', id: NaN, note: 'x'.repeat(201), list: [], none: null },
        },
      },
      { type: 'context', context: { attributes: { plan: 'Pro' } } },
    ],
    [{ type: 'context' }, { type: 'context', context: { attributes: {} } }],
    [{ type: 'closed', more: 1 }, { type: 'closed' }],
  ])('drops only the wrong fields of %j', (given, read) => expect(readHostMessage(given)).toEqual(read));

  it.each([
    ...hostile,
    { type: 'ready' },
    { type: 'update' },
    { type: 'update', settings: null },
    { type: 'prefill', fields: 'x' },
    { type: 'identify' },
    { type: 'identify', token: null },
    { type: 'identify', token: ['header.claims.signature'] },
    { type: 'token' },
  ])('reads nothing from %j', (message) => expect(readHostMessage(message)).toBeNull());

  it('accepts tokens of 4,096 characters and refuses longer ones', () => {
    const token = 'x'.repeat(4096);
    expect(readHostMessage({ type: 'identify', token })).toEqual({ type: 'identify', token });
    expect(readHostMessage({ type: 'identify', token: `${token}x` })).toBeNull();
  });
});

describe('isFrameMessage', () => {
  it.each<unknown>([
    { type: 'ready' },
    { type: 'open' },
    { type: 'close' },
    { type: 'ready', version: '1.2.3' },
    { type: 'unread', count: 0 },
    { type: 'preview', height: 0 },
    { type: 'wide', wide: true },
    { type: 'away', away: true },
    { type: 'open' },
    { type: 'diagnosis', diagnosis: { storage: true, api: 'ok', live: 'off' } },
    { type: 'used', used: false },
    { type: 'token' },
    { type: 'event', event: { name: 'message-sent', detail: { ticket_id: null } } },
    { type: 'event', event: { name: 'error', detail: { code: 'internal' } } },
  ])('takes %j', (message) => expect(isFrameMessage(message)).toBe(true));

  it.each([
    ...hostile,
    { type: 'ready', version: 1 },
    { type: 'preview' },
    { type: 'preview', height: -1 },
    { type: 'wide' },
    { type: 'wide', wide: 688 },
    { type: 'away' },
    { type: 'diagnosis' },
    { type: 'unread' },
    { type: 'unread', count: -1 },
    { type: 'unread', count: Number.NaN },
    { type: 'unread', count: '<b>' },
    { type: 'used', used: 1 },
    { type: 'identify', token: 'header.claims.signature' },
    { type: 'logout' },
    { type: 'event' },
    { type: 'event', event: null },
    { type: 'event', event: { name: 'ready', detail: {} } },
    { type: 'event', event: { name: 'message-sent' } },
    { type: 'event', event: { name: ['message-sent'], detail: {} } },
    { type: 'event', event: { name: 'message-sent', detail: 'text' } },
    { type: 'event', event: { name: 'xmessage-sent', detail: {} } },
  ])('refuses %j', (message) => expect(isFrameMessage(message)).toBe(false));
});

describe('readSettings', () => {
  it('keeps known settings of the right type', () => {
    const settings = {
      origin: 'https://shop.example',
      brand: 'Acme',
      position: 'left',
      theme: 'dark',
      priority: true,
      texts: { send: 'Go' },
    };
    expect(readSettings({ ...settings, onload: 'x' })).toEqual(settings);
  });

  it('drops values of a wrong type or choice', () => {
    expect(
      readSettings({ brand: 7, position: 'top', theme: 'neon', priority: 1, greeting: null, texts: 'x' }),
    ).toEqual({});
  });

  it.each([
    ['', true],
    ['true', true],
    ['false', false],
  ])('reads the attribute data-priority="%s" as %s', (text, flag) => {
    expect(readSettings({ priority: text })).toEqual({ priority: flag });
  });

  it.each([undefined, null, 'x', 3])('returns no settings for %j', (value) =>
    expect(readSettings(value)).toEqual({}),
  );
});
