import { describe, expect, it } from 'vitest';
import { savedAnswerLimit, saveAnswer } from '../tickets/saved-answers.ts';
import { createTestService, type TestService } from '../test-service.ts';
import { asColleague, asStranger, page, pageText, post } from './test-desk.ts';

const list = '/saved-answers';
const save = (service: TestService, name: string, text: string, path = list) =>
  post(service, path, { name, text });
const idOf = ({ db }: TestService, name: string) =>
  String(db.prepare('SELECT id FROM saved_answers WHERE name = ?').pluck().get(name));

describe('saved answers', () => {
  it('are added once by a double click, edited and removed by every agent of the workspace', async () => {
    const service = createTestService();
    const colleague = asColleague(service, 'bea@example.com');
    for (let i = 0; i < 2; i += 1) expect((await save(service, ' Lid ', 'Turn it.\r\n')).status).toBe(303);
    const id = idOf(colleague, 'Lid');
    expect(await pageText(colleague, `${list}/${id}`)).toMatch(/value="Lid".*>Turn it\.<\/textarea>/s);
    expect((await save(colleague, 'Lids', 'Turn it left.', `${list}/${id}`)).status).toBe(303);
    expect(await pageText(service, list)).toContain('Turn it left.');
    expect(await pageText(service, `${list}/${id}/remove`)).toContain('Remove “Lids”?');
    for (let i = 0; i < 2; i += 1) expect((await post(service, `${list}/${id}/remove`, {})).status).toBe(303);
    expect(await pageText(service, list)).toContain('No saved answers');
  });

  it.each([
    ['', 'x', 'Write something first.'],
    ['x', ' ', 'Write something first.'],
    ['x'.repeat(81), 'x', 'one character too long (at most 80)'],
    ['x', 'x'.repeat(10_002), '2 characters too long (at most 10,000)'],
    ['Taken', 'Other', 'Another saved answer has this name.'],
  ])(
    'a form with name %.5s and text %.5s is refused, and keeps what was typed',
    async (name, text, fault) => {
      const service = createTestService();
      await save(service, 'Taken', 'First');
      await save(service, 'Second', 'Second');
      const id = idOf(service, 'Second');
      for (const path of [list, `${list}/${id}`]) {
        const response = await save(service, name, text, path);
        expect(response.status).toBe(400);
        const html = await response.text();
        expect(html).toContain(fault);
        expect(html).toContain(`value="${name}"`);
        expect(html).toContain(`>${text}</textarea>`);
      }
    },
  );

  it('a workspace can have 200, and no more', async () => {
    const service = createTestService();
    const { id } = service.workspace;
    for (let i = 0; i < savedAnswerLimit; i += 1)
      expect(saveAnswer(service.db, id, { id: null, name: `${i}`, text: 'x' })).toBeNull();
    expect(await (await save(service, 'More', 'x')).text()).toContain('already 200');
    expect((await save(asStranger(service), 'More', 'x')).status).toBe(303);
  });

  it('of another workspace are neither shown nor found', async () => {
    const service = createTestService();
    const { id: ticket } = await service.createTicket();
    const stranger = asStranger(service);
    await save(stranger, 'Secret', 'Secret text');
    const id = idOf(stranger, 'Secret');
    for (const path of [list, `/tickets/${ticket}`, `/tickets/${ticket}/saved-answers`])
      expect(await pageText(service, path)).not.toContain('Secret');
    expect((await page(service, `${list}/${id}`)).status).toBe(404);
    expect((await page(service, `${list}/${id}/remove`)).status).toBe(404);
    expect((await save(service, 'Mine', 'Mine', `${list}/${id}`)).status).toBe(404);
    expect((await post(service, `/tickets/${ticket}/insert`, { saved: id })).status).toBe(404);
    await post(service, `${list}/${id}/remove`, {});
    expect(await pageText(stranger, list)).toContain('Secret text');
    expect((await page(stranger, `/tickets/${ticket}/saved-answers`)).status).toBe(404);
  });

  it('are filled in for the ticket and its agent, and are never HTML', async () => {
    const service = asColleague(createTestService(), 'bea.miller@example.com');
    const evil = '<img src=x>';
    const { id } = await service.createTicket({ customer_name: 'Mira <b>' });
    await save(service, evil, `Hello {name}, about #{number}. ${evil}\n\n{agent}`);
    for (const path of [list, `/tickets/${id}`]) expect(await pageText(service, path)).not.toContain('<img');
    const response = await page(service, `/tickets/${id}/saved-answers`);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toStrictEqual([
      { name: evil, text: `Hello Mira <b>, about #1. ${evil}\n\nBea Miller` },
    ]);
  });

  it('without script, are put after what was written and sent by nobody', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await save(service, 'Lid', 'Hello {name}!');
    const saved = idOf(service, 'Lid');
    const insert = (fields: Record<string, string>) => post(service, `/tickets/${id}/insert`, fields);
    expect((await insert({ body: 'Wait.\r\n', note: 'A note', saved })).headers.get('location')).toBe(
      `/desk/tickets/${id}?done=inserted#answer`,
    );
    const html = await pageText(service, `/tickets/${id}`);
    expect(html).toContain('>Wait.\n\nHello!</textarea>');
    expect(html).toContain('>A note</textarea>');
    const refused = await insert({ body: 'Still here', saved: '' });
    expect(await refused.text()).toMatch(/>Still here<\/textarea>.*Choose a saved answer first/s);
    const { data } = (await (await service.call('GET', `/tickets/${id}`)).json()) as {
      data: { messages: unknown[] };
    };
    expect(data.messages).toStrictEqual([]);
  });
});
