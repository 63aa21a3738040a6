import { describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../test-service.ts';
import { asColleague, conversation, page, pageText, post } from './test-desk.ts';

describe('ticket page', () => {
  it('sends an answer once although the form is posted twice, and opens a new ticket', async () => {
    let now = new Date('2026-03-01T00:00:00.000Z');
    const service = createTestService({ now: () => now });
    const { id } = await service.createTicket();
    const form = await (await page(service, `/tickets/${id}`)).text();
    const messageId = /name="id" value="([^"]+)"/.exec(form)![1]!;
    now = new Date('2026-03-01T00:00:05.000Z');
    const fields = { id: messageId, body: ' Good morning,\r\n\r\nit is on its way.\r\n' };
    const [first, again] = [
      await post(service, `/tickets/${id}/answers`, fields),
      await post(service, `/tickets/${id}/answers`, fields),
    ];
    expect([first.status, again.status]).toStrictEqual([303, 303]);
    expect(await conversation(service, id)).toMatchObject({
      status: 'open',
      updated_at: '2026-03-01T00:00:05.000Z',
      messages: [{ author_type: 'agent', body: 'Good morning,\n\nit is on its way.' }],
    });
  });

  it('holds an answer while newer messages are unread, shows them, and sends it on the second press', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const seenIn = (html: string) => /name="seen" value="([^"]+)"/.exec(html)![1]!;
    const seen = seenIn(await pageText(service, `/tickets/${id}`));
    await service.call('POST', `/tickets/${id}/messages`, { body: 'Already found' });
    await post(service, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body: 'From a colleague' });
    const fields = { id: crypto.randomUUID(), body: 'Look under the table', seen, new_status: 'solved' };
    const held = await post(service, `/tickets/${id}/answers`, fields);
    expect(held.status).toBe(400);
    const html = await held.text();
    const missed = [...html.matchAll(/<li class="entry[^"]* missed".*?<div[^>]*>([^<]*)/gs)].map(
      ([, body]) => body,
    );
    expect(missed).toEqual(['Already found', 'From a colleague']);
    expect(html).toMatch(/>Look under the table<\/textarea>.*arrived while you wrote.*Send anyway/s);
    expect(await conversation(service, id)).toMatchObject({ status: 'open', messages: { length: 2 } });
    const again = { ...fields, seen: seenIn(html) };
    for (const each of [again, again, fields])
      expect((await post(service, `/tickets/${id}/answers`, each)).status).toBe(303);
    expect(await conversation(service, id)).toMatchObject({ status: 'solved', messages: { length: 3 } });
  });

  it('sends an answer although a note or a message of another ticket is newer', async () => {
    const service = createTestService();
    const [{ id }, other] = [await service.createTicket(), await service.createTicket()];
    const seen = id;
    await post(service, `/tickets/${id}/notes`, { note_id: crypto.randomUUID(), note: 'Ask the kiln' });
    await service.call('POST', `/tickets/${other.id}/messages`, { body: 'Elsewhere' });
    const sent = await post(service, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body: 'Hi', seen });
    expect(sent.status).toBe(303);
  });

  it('keeps a text that is posted with a form that was already used for another text', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const form = crypto.randomUUID();
    await post(service, `/tickets/${id}/answers`, { id: form, body: 'First' });
    for (const [path, fields] of [
      ['answers', { id: form, body: 'Second, edited' }],
      ['notes', { note_id: form, note: 'Second, edited' }],
    ] as const) {
      const response = await post(service, `/tickets/${id}/${path}`, fields);
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(html).toContain('Second, edited');
      expect(html).not.toMatch(new RegExp(`name="(note_)?id" value="${form}"`));
    }
    expect((await conversation(service, id)).messages.map(({ body }) => body)).toEqual(['First']);
  });

  it.each([
    [1, 'one character too long'],
    [2, '2 characters too long'],
  ])('keeps an answer that is too long by %i in the form', async (excess, fault) => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const body = 'x'.repeat(20_000 + excess);
    const response = await post(service, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain(fault);
    expect(text).toContain(`>${body}</textarea>`);
  });

  it('shows notes to agents and never to the API', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await post(service, `/tickets/${id}/notes`, { note_id: crypto.randomUUID(), note: 'Only for us' });
    expect(await (await page(service, `/tickets/${id}`)).text()).toContain('Only for us');
    expect((await conversation(service, id)).messages).toStrictEqual([]);
  });

  it('writes what people typed as text, never as HTML', async () => {
    const service = createTestService();
    const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
    const { id } = await service.createTicket({
      subject: evil,
      description: evil,
      customer_name: evil.slice(0, 50),
    });
    await service.call('POST', `/tickets/${id}/messages`, { body: evil });
    await post(service, `/tickets/${id}/company`, { company: evil });
    await post(service, '/keys', { label: evil });
    for (const path of ['/', `/?q=${encodeURIComponent(evil)}`, `/tickets/${id}`, '/customers', '/keys']) {
      const response = await page(service, path);
      const text = await response.text();
      expect(text.replace(/<script src="\/desk\/desk-\w+\.js" defer=""><\/script>/, '')).not.toMatch(
        /<script|<img/,
      );
      expect(text).toContain('&lt;script&gt;');
      const policy = response.headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).not.toContain('unsafe');
    }
  });

  it('opens links in a new tab without a referrer, and escapes the text around them', async () => {
    const service = createTestService();
    const { id } = await service.createTicket({
      description: `<b>https://a.example/?a=1&b="x"onclick='y'</b>`,
    });
    const text = await (await page(service, `/tickets/${id}`)).text();
    expect(text).toContain('&lt;b&gt;<a href="https://a.example/?a=1&amp;b="');
    expect(text).toContain(
      'rel="noopener noreferrer nofollow">https://a.example/?a=1&amp;b=</a>&quot;x&quot;onclick=',
    );
  });

  it('sets the status and the company', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    expect((await post(service, `/tickets/${id}/status`, { status: 'solved' })).status).toBe(303);
    expect((await post(service, `/tickets/${id}/status`, { status: 'lost' })).status).toBe(400);
    await post(service, `/tickets/${id}/company`, { company: ' Harbour Tearoom ' });
    expect(await conversation(service, id)).toMatchObject({
      status: 'solved',
      customer: { company: 'Harbour Tearoom' },
    });
  });

  it('merges by number after a confirmation page, and tells why a merge is refused', async () => {
    const service = createTestService();
    const [first, second] = [
      await service.createTicket(),
      await service.createTicket({ subject: 'Pot & lid' }),
    ];
    const merge = (id: string, number: string, path = 'merge') =>
      post(service, `/tickets/${id}/${path}`, { number });
    for (const path of ['merge', 'merge/confirmed'])
      for (const number of ['99', 'x', '', '1'])
        expect((await merge(first.id, number, path)).status).toBe(400);
    const asked = await merge(first.id, '#2');
    expect(asked.headers.get('location')).toBe(`/desk/tickets/${first.id}/merge?number=2`);
    expect(await pageText(service, `/tickets/${first.id}/merge?number=2`)).toContain('#2 Pot &amp; lid');
    expect((await conversation(service, first.id)).status).toBe('new');
    expect((await merge(first.id, '2', 'merge/confirmed')).status).toBe(303);
    expect((await merge(second.id, '1')).status).toBe(400);
    expect((await page(service, `/tickets/${second.id}/merge?number=1`)).status).toBe(400);
    expect(await pageText(service, `/tickets/${first.id}`)).not.toContain('Send answer');
    expect(await pageText(service, `/tickets/${second.id}`)).toContain('Ticket #1 was merged');
  });

  it('does not send an answer when Enter is pressed in a one-line field', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const text = await pageText(service, `/tickets/${id}`);
    const form = text.slice(text.indexOf('<form class="ticket"'));
    expect(/<button[^>]*>/.exec(form)![0]).not.toContain('formAction');
    expect(form).toContain(`action="/desk/tickets/${id}/enter"`);
    const fields = { body: 'Half an answer', company: 'Tearoom' };
    const pressed = async (number: string) => {
      const response = await post(service, `/tickets/${id}/enter`, { ...fields, number });
      return [response.status, response.headers.get('location')];
    };
    expect(await pressed('')).toStrictEqual([307, `/desk/tickets/${id}/company`]);
    expect(await pressed('2')).toStrictEqual([307, `/desk/tickets/${id}/merge`]);
  });

  it('answers 404 for a ticket of another workspace', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const other = { ...service, workspace: service.addWorkspace() };
    expect((await page(other, `/tickets/${id}`)).status).toBe(404);
    const fields = { id: crypto.randomUUID(), body: 'x' };
    expect((await post(other, `/tickets/${id}/answers`, fields)).status).toBe(404);
  });

  it('sends an answer and solves the ticket in one step', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const fields = { id: crypto.randomUUID(), body: 'Done.', new_status: 'solved' };
    expect((await post(service, `/tickets/${id}/answers`, fields)).status).toBe(303);
    expect(await conversation(service, id)).toMatchObject({
      status: 'solved',
      messages: [{ body: 'Done.' }],
    });
  });

  it('shows the line for agents beside the ticket, not among the customer’s words', async () => {
    const service = createTestService();
    const footer = 'Deskside: e-mail not verified · page https://shop.example/lids?a=1 · ref DS-7F3KQ2M9XW4T';
    const { id } = await service.createTicket({ description: `It does not fit.\n\n${footer}` });
    const text = await pageText(service, `/tickets/${id}`);
    expect(text).not.toContain('Deskside:');
    const [talk, side] = text.split('<aside') as [string, string];
    expect(talk).toContain('It does not fit.<');
    expect(talk).not.toContain('DS-7F3KQ2M9XW4T');
    expect(side).toContain('Email not verified');
    expect(side).toContain('<code>DS-7F3KQ2M9XW4T</code>');
    expect(side).toContain('>https://shop.example/lids?a=1</a>');
  });

  it('shows the answers to the form and the consent beside the ticket, not among the customer’s words', async () => {
    const service = createTestService();
    const text = 'It does not fit.\n\n> Deskside: e-mail verified · details 1 · ref DS-7F3KQ2M9XW4A';
    const added = 'Order number: AB-1: <b>\nConsent: 3f1c7a90b2d4e685 at 2026-11-23T10:04Z';
    const footer = 'Deskside: e-mail not verified · details 2 · ref DS-7F3KQ2M9XW4T';
    const { id } = await service.createTicket({ description: `${text}\n\n${added}\n\n${footer}` });
    const [talk, side] = (await pageText(service, `/tickets/${id}`)).split('<aside') as [string, string];
    expect(talk).toContain('details 1 · ref DS-7F3KQ2M9XW4A<');
    expect(talk).not.toMatch(/AB-1|Consent/);
    expect(side).toMatch(/<dt[^>]*>Order number<\/dt><dd[^>]*>AB-1: &lt;b&gt;<\/dd>/);
    expect(side).toMatch(/<dt[^>]*>Consent<\/dt><dd[^>]*>3f1c7a90b2d4e685 at 2026-11-23T10:04Z</);
  });

  it('shows what the site has verified apart from what a page only says', async () => {
    const service = createTestService();
    const added = 'Deskside: verified · plan: Basic\nSaid by the page (not verified):\n- plan: Pro';
    const footer = 'Deskside: e-mail not verified · details 3 · ref DS-7F3KQ2M9XW4T';
    const { id } = await service.createTicket({ description: `Hi\n\n${added}\n\n${footer}` });
    const [talk, side] = (await pageText(service, `/tickets/${id}`)).split('<aside') as [string, string];
    expect(talk).not.toMatch(/Basic|Pro/);
    expect(side).toMatch(/plan<\/dt><dd[^>]*>Basic<span class="proved">/);
    expect(side).toMatch(/plan<\/dt><dd[^>]*>Pro<span class="unproved">Not verified</);
  });

  it('shows the customer’s last five other tickets, and no ticket of another customer', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const other = await service.createTicket({ subject: 'The pot too', customer_email: 'MIRA@example.com' });
    const foreign = await service.createTicket({ customer_email: 'lea@example.com' });
    const text = await pageText(service, `/tickets/${id}`);
    expect(text).toContain(`<a href="/desk/tickets/${other.id}">#2 The pot too</a>`);
    expect(text).not.toContain(foreign.id);
    for (let i = 0; i < 5; i += 1) await service.createTicket();
    const [, others] = (await pageText(service, `/tickets/${id}`)).split('id="others"') as [string, string];
    expect(others.match(/<li>/g)).toHaveLength(5);
    expect(others).not.toContain(other.id);
    expect(others).toMatch(/>new<\/span> <time /);
    expect(others).toContain('href="/desk?status=all&amp;q=mira%40example.com"');
  });

  it('is sent again to an open page only when it has changed', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const version = /data-version="([^"]+)"/.exec(await pageText(service, `/tickets/${id}`))![1]!;
    const again = () => page(service, `/tickets/${id}`, { 'x-desk-version': version });
    expect((await again()).status).toBe(204);
    await service.call('POST', `/tickets/${id}/messages`, { body: 'One more thing' });
    expect(await (await again()).text()).toContain('One more thing');
  });
});

describe('what an agent has written', () => {
  const written = { body: 'Dear Mira, we', note: 'Ask the kiln' };
  const textsOf = async (service: TestService, id: string) =>
    [...(await pageText(service, `/tickets/${id}`)).matchAll(/<textarea[^>]*>([^<]*)</g)].map(
      (match) => match[1],
    );

  it.each([
    ['status', { status: 'pending' }, ['Dear Mira, we', 'Ask the kiln']],
    ['company', { company: 'Tearoom' }, ['Dear Mira, we', 'Ask the kiln']],
    ['merge', { number: '2' }, ['Dear Mira, we', 'Ask the kiln']],
    ['notes', { note_id: crypto.randomUUID() }, ['Dear Mira, we', '']],
    ['answers', { id: crypto.randomUUID() }, ['', 'Ask the kiln']],
  ])('stays on the page after /%s, except for what was sent', async (path, fields, left) => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await service.createTicket();
    const response = await post(service, `/tickets/${id}/${path}`, { ...written, ...fields });
    expect(response.status).toBe(303);
    expect(await textsOf(service, id)).toStrictEqual(left);
  });

  it('is not shown to other agents, and is removed when it is emptied', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await post(service, `/tickets/${id}/status`, { ...written, status: 'open' });
    expect(await textsOf(asColleague(service, 'second@example.com'), id)).toStrictEqual(['', '']);
    await post(service, `/tickets/${id}/status`, { body: ' ', note: '', status: 'open' });
    expect(service.db.prepare('SELECT count(*) AS n FROM drafts').get()).toStrictEqual({ n: 0 });
  });

  it('can be copied when the ticket was merged before it was sent', async () => {
    const service = createTestService();
    const [first] = [await service.createTicket(), await service.createTicket()];
    await post(service, `/tickets/${first.id}/merge/confirmed`, { number: '2' });
    const fields = { id: crypto.randomUUID(), body: 'Too late' };
    const response = await post(service, `/tickets/${first.id}/answers`, fields);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/readonly[^>]*>Too late<.*merged in the meantime/);
  });
});
