import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxLength } from '../../../shared/contract/limits.ts';
import { idempotencyHeader, paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';

let bff: TestBff;
beforeAll(async () => {
  bff = await startBff();
});
afterAll(() => bff.stop());

const fox = '🦊';
const email = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
const writes = () => bff.service.writes().length;

describe('a field of a ticket', () => {
  const cases: [string, unknown, number, string?][] = [];
  for (const [field, max] of [
    ['subject', maxLength.subject],
    ['description', maxLength.description],
    ['customer_name', maxLength.customer_name],
  ] as const) {
    cases.push([field, 'x', 201], [field, 'x'.repeat(max), 201], [field, fox.repeat(max / 2), 201]);
    cases.push(
      [field, 'x'.repeat(max + 1), 400, 'too_long'],
      [field, fox.repeat(max / 2 + 1), 400, 'too_long'],
    );
    cases.push([field, 7, 400, 'invalid'], [field, 'half\ud83e', 201]);
  }
  cases.push(['subject', '', 400, 'required'], ['subject', ' \n ', 400, 'required']);
  cases.push(['subject', undefined, 400, 'required'], ['description', undefined, 400, 'required']);
  cases.push(['description', '\u200b \u2800\u3164', 400, 'required'], ['customer_name', '\u200b', 201]);
  cases.push(['description', 'two\nlines', 201]);
  cases.push(['description', 'nul\0 of a log', 201], ['description', '\0', 400, 'required']);
  cases.push(['description', '', 400, 'required'], ['customer_name', '', 201], ['customer_name', null, 201]);
  cases.push(['customer_email', email(maxLength.customer_email), 201], ['customer_email', 'a@b.co', 201]);
  cases.push(['customer_email', email(maxLength.customer_email + 1), 400, 'too_long']);
  for (const value of ['', undefined]) cases.push(['customer_email', value, 400, 'required']);
  for (const value of ['ada', 'ada@', '@b.co', 'a b@c.de', 'a@b', 'a@b.co\r\nBcc: x@y.z', 'a@@b.co'])
    cases.push(['customer_email', value, 400, 'invalid']);
  for (const cut of ['/', '?', '#', '%00', ':'])
    cases.push(['customer_email', `ada@gmail.com${cut}x.attacker.example`, 400, 'invalid']);
  const manyQuotes = 'Deskside: x\n'.repeat(1_500);
  cases.push(['description', manyQuotes, 400, 'too_long'], ['description', manyQuotes.slice(0, 12_000), 201]);
  cases.push(['description', `a${'\u0301'.repeat(5_000)}`, 201]);
  cases.push(['priority', 'urgent', 201], ['priority', '', 201], ['priority', 'now', 400, 'invalid']);
  cases.push(['context', 'odd', 201], ['context', { page_url: 'javascript:alert(1)' }, 201]);

  it.each(cases)('%s: %j gives %i', async (field, value, status, fault) => {
    const before = writes();
    const answer = await bff.browser().openTicket({ [field]: value });
    expect(answer.status).toBe(status);
    expect(writes() - before).toBe(status === 201 ? 1 : 0);
    expect(answer.error?.fields?.[field]).toBe(fault);
  });
});

it('a subject of several lines or cells becomes one line, with the spaces of its script', async () => {
  const { data } = await bff.browser().openTicket({ subject: 'Order\t4711\r\nis\0 late\u3000遅い' });
  expect(data.subject).toBe('Order 4711 is late\u3000遅い');
});

it('half a character of a text is shown as one that is unknown', async () => {
  const { data } = await bff.browser().openTicket({ description: 'Half \ud83e of it' });
  expect(data.preview?.text).toBe('Half \ufffd of it');
});

it('a reply has 1 to 20,000 UTF-16 units', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const send = async (body: unknown) => (await ada.post(paths.messages(ticket.id), { body })).status;
  expect(await send('x')).toBe(201);
  expect(await send(fox.repeat(maxLength.body / 2))).toBe(201);
  for (const body of ['', '\u200b\u2060', undefined, [], {}, 0, fox.repeat(maxLength.body / 2 + 1)])
    expect(await send(body)).toBe(400);
});

describe('an invalid request [overload-12]', () => {
  const json = { 'Content-Type': 'application/json' };
  const key = () => ({ [idempotencyHeader]: randomUUID() });
  const cases: [string, string, string, unknown, Record<string, string>, number, string][] = [
    ['broken JSON', 'POST', paths.tickets, '{"subject":', json, 400, 'invalid_request'],
    ['no object', 'POST', paths.tickets, '[]', json, 400, 'invalid_request'],
    ['an empty body', 'POST', paths.tickets, '', json, 400, 'invalid_request'],
    ['a form', 'POST', paths.tickets, 'a=b', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
    [
      '200 KB',
      'POST',
      paths.tickets,
      { ...ticketBody, description: 'x'.repeat(200_000) },
      json,
      413,
      'payload_too_large',
    ],
    [
      '200 KB by its headers',
      'POST',
      paths.tickets,
      ticketBody,
      { ...json, 'Content-Length': '200000' },
      413,
      'payload_too_large',
    ],
    [
      '200 KB in chunks, whatever length its headers give',
      'POST',
      paths.tickets,
      { ...ticketBody, description: 'x'.repeat(200_000) },
      { ...json, 'Content-Length': '10', 'Transfer-Encoding': 'chunked' },
      413,
      'payload_too_large',
    ],
    ['an unknown route', 'GET', '/api/customers', undefined, {}, 404, 'not_found'],
    ['an unknown page', 'GET', '/admin', undefined, {}, 404, 'not_found'],
    ['a wrong method', 'PUT', paths.tickets, ticketBody, json, 404, 'not_found'],
    ['no session', 'GET', paths.tickets, undefined, {}, 401, 'unauthenticated'],
    ['no session on the stream', 'GET', paths.events, undefined, {}, 401, 'unauthenticated'],
  ];

  it.each(cases)('%s is refused', async (_, method, path, body, headers, status, code) => {
    const before = bff.service.calls.length;
    const answer = await bff.browser().request(method, path, body, { ...key(), ...headers });
    expect([answer.status, answer.error?.code]).toEqual([status, code]);
    expect(answer.error).toEqual(
      expect.objectContaining({ message: expect.any(String), request_id: expect.any(String) }),
    );
    expect(bff.service.calls).toHaveLength(before);
  });

  it('is never answered with the words of a parser or a schema [upstream-7]', async () => {
    const { text } = await bff
      .browser()
      .request('POST', paths.tickets, '{"subject": canary', { ...key(), ...json });
    expect(text).not.toMatch(/canary|Unexpected|JSON at|ZodError|expected/);
  });

  it('with unknown fields has them ignored [upstream-5]', async () => {
    await bff.browser().openTicket({ status: 'solved', source: 'web', ['__proto__']: { admin: true } });
    expect(Object.keys(bff.service.writes().at(-1)!.body).sort()).toEqual([
      'customer_email',
      'customer_name',
      'description',
      'subject',
    ]);
  });
});
