import { describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../test-service.ts';
import { conversation, page, pageText, post } from './test-desk.ts';

describe('ticket list', () => {
  it.each(['1e300', '1e19', '-1', 'x', '0'])('shows the first page for page=%s', async (value) => {
    expect((await page(createTestService(), `/?page=${value}`)).status).toBe(200);
  });

  const needsAnswer = async (service: TestService, id: string) => (await pageText(service, '/')).includes(id);
  const answerFields = () => ({ id: crypto.randomUUID(), body: 'Try this.' });

  it('a reply to a solved ticket needs an answer, however often agents open it, until one closes it again', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await post(service, `/tickets/${id}/status`, { status: 'solved' });
    expect(await needsAnswer(service, id)).toBe(false);
    await service.call('POST', `/tickets/${id}/messages`, { body: 'Still broken' });
    for (let i = 0; i < 2; i += 1) await page(service, `/tickets/${id}`);
    expect(await needsAnswer(service, id)).toBe(true);
    expect((await conversation(service, id)).status).toBe('solved');
    await post(service, `/tickets/${id}/status`, { status: 'solved' });
    expect(await needsAnswer(service, id)).toBe(false);
  });

  it('an answered ticket needs no answer, whatever its status, until its customer replies', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await post(service, `/tickets/${id}/answers`, answerFields());
    for (const status of ['pending', 'closed', 'open']) {
      await post(service, `/tickets/${id}/status`, { status });
      expect(await needsAnswer(service, id)).toBe(false);
    }
    await service.call('POST', `/tickets/${id}/messages`, { body: 'Thanks, and one more thing' });
    expect(await needsAnswer(service, id)).toBe(true);
  });

  it('a ticket that was closed without an answer needs one when it is opened again', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await post(service, `/tickets/${id}/status`, { status: 'closed' });
    await post(service, `/tickets/${id}/notes`, { note_id: crypto.randomUUID(), note: 'Closed by mistake' });
    expect(await needsAnswer(service, id)).toBe(false);
    await post(service, `/tickets/${id}/status`, { status: 'pending' });
    expect(await needsAnswer(service, id)).toBe(true);
  });

  it('lists urgent and high tickets that need an answer first, and others by activity', async () => {
    const service = createTestService();
    const ids: Record<string, string> = {};
    for (const priority of ['urgent', 'high', 'low', 'medium'])
      ids[priority] = (await service.createTicket({ priority, subject: priority })).id;
    const order = async (query: string) => {
      const text = await pageText(service, query);
      return Object.keys(ids).sort((a, b) => text.indexOf(ids[a]!) - text.indexOf(ids[b]!));
    };
    expect(await order('/')).toStrictEqual(['urgent', 'high', 'medium', 'low']);
    expect(await pageText(service, '/')).toMatch(/class="waiting raised-urgent"/);
    await post(service, `/tickets/${ids['urgent']}/status`, { status: 'solved' });
    await service.call('POST', `/tickets/${ids['low']}/messages`, { body: 'Later' });
    expect(await order('/?status=all')).toStrictEqual(['high', 'low', 'urgent', 'medium']);
  });

  it('is sent again to an open page only when it has changed', async () => {
    const service = createTestService();
    const first = await pageText(service, '/');
    const version = /data-version="([^"]+)"/.exec(first)![1]!;
    const again = () => page(service, '/', { 'x-desk-version': version });
    expect((await again()).status).toBe(204);
    const { id } = await service.createTicket();
    const changed = await again();
    expect(changed.status).toBe(200);
    const text = await changed.text();
    expect(text).toContain(id);
    expect(text).toContain('<title>(1) Tickets');
    const signedOut = await service.app.request('/desk', { headers: { 'x-desk-version': version } });
    expect(signedOut.headers.get('location')).toBe('/desk/sign-in');
  });

  const footer = 'Deskside: e-mail not verified · page http://localhost:4848/8 · ref DS-888888888888';

  it('a search for a number shows the ticket with that number first, then texts with it as a whole word, and ignores the line for agents', async () => {
    const service = createTestService();
    const made: string[] = [];
    for (let i = 1; i <= 9; i += 1)
      made.push(
        (await service.createTicket({ subject: `Lid ${'i'.repeat(i)}`, description: `One.\n\n${footer}` }))
          .id,
      );
    const ordered = await service.createTicket({ subject: 'Tea', description: 'Where is order KC-8?' });
    const found = async (q: string) => {
      const text = await pageText(service, `/?status=all&q=${encodeURIComponent(q)}`);
      return [...text.matchAll(/id="ticket-([^"]+)"/g)].map((match) => match[1]);
    };
    for (const q of ['8', '#8']) expect(await found(q)).toStrictEqual([made[7], ordered.id]);
    expect(await found('verified')).toStrictEqual([]);
    expect(await found('ds-888888888888')).toHaveLength(9);
  });

  it('previews the customer’s own words', async () => {
    const service = createTestService();
    await service.createTicket({ description: `It does not close.\n\n${footer}` });
    const text = await pageText(service, '/');
    expect(text).toContain('It does not close.');
    expect(text).not.toContain('Deskside:');
  });

  it.each(['#1', '1', 'LID', 'mira@', 'slightly', 'ÜBER'])('finds a ticket by %s', async (q) => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await service.call('POST', `/tickets/${id}/messages`, { body: 'Es geht über den Rand' });
    const other = await service.createTicket({
      subject: 'Tea',
      description: 'Tea',
      customer_email: 'lea@example.com',
    });
    const text = await (await page(service, `/?status=all&q=${encodeURIComponent(q)}`)).text();
    expect(text).toContain(id);
    expect(text).not.toContain(other.id);
  });
});
