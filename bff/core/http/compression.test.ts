import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { gateHeader, idempotencyHeader, paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';
import { startStreams, type TestStreams } from '../../testing/streams.ts';

let bff: TestBff;
let streams: TestStreams;

beforeEach(async () => {
  bff = await startBff();
  streams = await startStreams(bff);
});
afterEach(() => bff.stop());

const ask = (path: string, cookie: string, coding: string) =>
  fetch(streams.origin + path, {
    headers: {
      Cookie: cookie,
      'Accept-Encoding': coding,
      'Sec-Fetch-Site': 'same-origin',
      [gateHeader]: '1',
    },
  });

it('the list and a conversation are compressed for a browser that reads gzip, and for no other', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket({ description: 'It is chipped. '.repeat(100) });
  for (let more = 0; more < 3; more += 1) await ada.openTicket();
  for (const path of [paths.tickets, paths.ticket(ticket.id)]) {
    const compressed = await ask(path, ada.cookie, 'gzip, br');
    expect(compressed.headers.get('Content-Encoding')).toBe('gzip');
    const plain = await ask(path, ada.cookie, 'identity');
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(plain.headers.get('Vary')).toContain('Accept-Encoding');
    expect(await compressed.json()).toEqual(await plain.json());
  }
});

it('a list that fits into one packet is not compressed', async () => {
  const ada = bff.browser();
  await ada.openTicket();
  const { headers } = await ask(paths.tickets, ada.cookie, 'gzip');
  expect(headers.get('Content-Encoding')).toBeNull();
});

it('an answer with a session token is not compressed, so that its length reveals nothing [browser-19]', async () => {
  const ada = bff.browser({ isBearer: true });
  const { headers, text } = await ada.request('POST', paths.tickets, ticketBody, {
    [idempotencyHeader]: randomUUID(),
    'Accept-Encoding': 'gzip',
  });
  expect(text).toContain('session_token');
  expect(headers.get('Content-Encoding')).toBeNull();
});
