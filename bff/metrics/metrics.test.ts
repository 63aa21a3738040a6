import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { paths } from '../contract/paths.ts';
import { canaryKey, startBff, ticketBody } from '../testing/bff.ts';
import { identitySecret, identityToken, withIdentity } from '../testing/identity.ts';
import { startStreams, until } from '../testing/streams.ts';

it('no metric shows who a customer is, what they wrote, an id, a token, an origin or a key', async () => {
  const hook = 'a-path-nobody-guesses-4711';
  const bff = await startBff({ ...withIdentity, webhookSecrets: [hook] });
  const streams = await startStreams(bff);
  const ada = bff.browser();
  const key = randomUUID();
  const token = await identityToken('grace@example.com', { name: 'Grace' });
  const { data: ticket } = await ada.openTicket({ context: { page_url: 'https://shop.test/cart' } }, key);
  const stream = await streams.listen(ada.cookie, ticket.id);
  await ada.post(paths.messages(ticket.id), { body: 'And one more thing' });
  const answer = bff.service.addMessage(ticket.id, 'agent', 'We are on it');
  await until(() => expect(JSON.stringify(stream.seen)).toContain('We are on it'));
  await ada.post(paths.read(ticket.id), { message_id: answer.id });
  await ada.get(paths.operation(key));
  await ada.request('POST', paths.identity, { token });
  await ada.request('POST', `${paths.hooks}/${hook}`, { ticket: ticket.id });
  await ada.request('POST', `${paths.hooks}/a-guess-of-somebody`, { ticket: ticket.id });
  await ada.get(`/api/${ticket.id}?email=ada@example.com`);
  await ada.request('GET', paths.tickets, undefined, {
    'Sec-Fetch-Site': 'cross-site',
    Origin: 'https://evil.test',
  });
  await bff.app.request(paths.session, { method: `X${key}` });
  const text = await bff.metrics.registry.metrics();
  await streams.stop();
  await bff.stop();

  expect(text).toMatch(
    /^deskside_http_requests_total\{route="\/hooks\/tickets\/:secret",method="POST",code="204"\} 1$/m,
  );
  expect(text).toMatch(/^deskside_answer_delay_seconds_count [1-9]/m);
  const sessionToken = ada.cookie.split('=')[1]!;
  expect(sessionToken.length).toBeGreaterThan(20);
  const secrets = [ticket.id, answer.id, key, token, sessionToken, hook, canaryKey, identitySecret];
  const words = [
    '@',
    'Ada',
    'Grace',
    'Acme',
    'example.com',
    '.test',
    'guess',
    ticketBody.subject,
    'one more thing',
    'on it',
  ];
  for (const word of [...secrets, ...words]) expect(text.toLowerCase()).not.toContain(word.toLowerCase());
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/i);
  expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
});
