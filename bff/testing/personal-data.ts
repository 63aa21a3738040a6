import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '../../shared/contract/paths.ts';
import { canaryKey, type TestBff } from './bff.ts';
import { ticketBody } from './browser.ts';
import { identitySecret } from '../../scripts/identity-token.ts';
import { identityToken, withIdentity } from './identity.ts';
import { startStreams, until } from './streams.ts';

const hook = 'a-path-nobody-guesses-4711';

/** Settings that `usePersonalData` needs. */
export const personalDataSettings = { ...withIdentity, webhookSecrets: [hook] };

/**
 * Uses every function of the BFF that handles personal data, also with wrong input.
 * @returns the data that no operator may see: texts, names, addresses, ids, tokens and keys
 */
export async function usePersonalData(bff: TestBff): Promise<string[]> {
  const streams = await startStreams(bff);
  const ada = bff.browser();
  const key = randomUUID();
  const token = await identityToken('grace@example.com', {
    name: 'Grace',
    attributes: { plan: 'gold', odd: ['silver'] },
  });
  const { data: ticket } = await ada.openTicket(
    { context: { page_url: 'https://shop.test/cart', page_title: 'A basket', attributes: { size: 'tiny' } } },
    key,
  );
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
  await streams.stop();
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
    'gold',
    'silver',
    'basket',
    'tiny',
  ];
  const texts = [ticketBody.subject, 'one more thing', 'on it'];
  return [...secrets, ...words, ...texts];
}

/** Fails when `text` has one of `secrets`, an id or an IP address. */
export function expectNothingPersonal(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/i);
  expect(text).not.toMatch(/\d+\.\d+\.\d+\.\d+/);
}
