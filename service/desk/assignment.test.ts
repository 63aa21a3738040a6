import { describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../test-service.ts';
import { asColleague, asStranger, pageText, post } from './test-desk.ts';

const assign = (service: TestService, id: string, to: 'me' | 'nobody', assignee = '') =>
  post(service, `/tickets/${id}/assign`, { assign: to, assignee });
const assigneeOf = async (service: TestService, id: string) =>
  /class="assignee-now">(?:<[^>]*>)?([^<]+)/.exec(
    (await pageText(service, `/tickets/${id}`)).split('<aside')[1]!,
  )![1];
const idsIn = async (service: TestService, status: string) =>
  [...(await pageText(service, `/?status=${status}`)).matchAll(/id="ticket-([^"]+)"/g)].map(([, id]) => id);
const answer = (service: TestService, id: string, more: Record<string, string> = {}) =>
  post(service, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body: 'Try this.', ...more });

describe('the assignee of a ticket', () => {
  it('is set and removed by an agent, and shown to all', async () => {
    const bea = asColleague(createTestService(), 'bea@example.com');
    const tom = asColleague(bea, 'tom@example.com');
    const { id } = await bea.createTicket();
    expect(await assigneeOf(bea, id)).toBe('nobody');
    expect((await assign(bea, id, 'me')).status).toBe(303);
    expect([await assigneeOf(bea, id), await assigneeOf(tom, id)]).toStrictEqual(['You', 'Bea']);
    expect(await pageText(tom, '/')).toMatch(/class="assignee">.*title="bea@example.com">Bea</s);
    await assign(tom, id, 'me', bea.workspace.agentId);
    expect(await assigneeOf(bea, id)).toBe('Tom');
    await assign(tom, id, 'nobody', tom.workspace.agentId);
    expect(await assigneeOf(bea, id)).toBe('nobody');
  });

  it('stays when another agent was assigned meanwhile, and what was written stays too', async () => {
    const bea = asColleague(createTestService(), 'bea@example.com');
    const tom = asColleague(bea, 'tom@example.com');
    const { id } = await bea.createTicket();
    await assign(bea, id, 'me');
    const refused = await post(tom, `/tickets/${id}/assign`, { assign: 'me', assignee: '', body: 'Dear' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toMatch(/>Dear<\/textarea>.*assigned to someone else/s);
    expect(await assigneeOf(bea, id)).toBe('You');
    // A double click.
    expect((await assign(bea, id, 'me')).status).toBe(303);
  });

  it('is the author of an answer if nobody was assigned', async () => {
    const bea = asColleague(createTestService(), 'bea@example.com');
    const tom = asColleague(bea, 'tom@example.com');
    const { id } = await bea.createTicket();
    await post(bea, `/tickets/${id}/notes`, { note_id: crypto.randomUUID(), note: 'Ask' });
    expect(await assigneeOf(bea, id)).toBe('nobody');
    await answer(bea, id);
    await answer(tom, id);
    expect(await assigneeOf(bea, id)).toBe('You');
  });

  it('chooses what “Mine” and “Unassigned” list, without what is done with', async () => {
    const bea = asColleague(createTestService(), 'bea@example.com');
    const tom = asColleague(bea, 'tom@example.com');
    const [mine, solved, his, free] = [
      await bea.createTicket(),
      await bea.createTicket(),
      await bea.createTicket(),
      await bea.createTicket(),
    ];
    await assign(bea, mine.id, 'me');
    await answer(bea, solved.id, { new_status: 'solved' });
    await assign(tom, his.id, 'me');
    expect(await idsIn(bea, 'mine')).toStrictEqual([mine.id]);
    expect(await idsIn(tom, 'mine')).toStrictEqual([his.id]);
    expect(await idsIn(tom, 'unassigned')).toStrictEqual([free.id]);
    expect(await pageText(tom, '/?status=all')).toMatch(/Mine <span class="count">1</);
    await bea.call('POST', `/tickets/${solved.id}/messages`, { body: 'Again' });
    expect(await idsIn(bea, 'mine')).toStrictEqual([solved.id, mine.id]);
  });

  it('changes nothing that the API answers', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const read = async () => [
      await (await service.call('GET', '/tickets')).json(),
      await (await service.call('GET', `/tickets/${id}`)).json(),
    ];
    const before = await read();
    await assign(service, id, 'me');
    expect(await assigneeOf(service, id)).toBe('You');
    expect(await read()).toStrictEqual(before);
  });

  it('cannot be set in another workspace or of a merged ticket', async () => {
    const service = createTestService();
    const [{ id }, target] = [await service.createTicket(), await service.createTicket()];
    expect((await assign(asStranger(service), id, 'me')).status).toBe(404);
    await post(service, `/tickets/${id}/merge/confirmed`, { number: String(target.ticket_number) });
    expect((await assign(service, id, 'me')).status).toBe(400);
  });
});

describe('“Then open the next ticket”', () => {
  const three = async (service: TestService) => {
    const ids: string[] = [];
    for (const word of ['pot', 'lid pot', 'lid'])
      ids.unshift((await service.createTicket({ subject: word })).id);
    return ids as [string, string, string];
  };
  const whereTo = async (response: Promise<Response>) => (await response).headers.get('location');

  it('goes down the list that the agent came from, then to its first ticket, then to the list', async () => {
    const service = createTestService();
    const [first, second, third] = await three(service);
    const send = (id: string) => whereTo(answer(service, id, { next: '1' }));
    expect(await send(second)).toBe(`/desk/tickets/${third}?done=answered-next`);
    expect(await send(third)).toBe(`/desk/tickets/${first}?done=answered-next`);
    expect(await send(first)).toBe('/desk?done=answered-last');
    expect(await pageText(service, '/?done=answered-last')).toContain('No other ticket of this list');
  });

  it('keeps to the search that the agent came from', async () => {
    const service = createTestService();
    const [first, second, third] = await three(service);
    const from = '?status=all&q=pot';
    expect(await pageText(service, `/${from}`)).toContain(
      `href="/desk/tickets/${second}?status=all&amp;q=pot"`,
    );
    const html = await pageText(service, `/tickets/${second}${from}`);
    expect(html).toContain('class="back" href="/desk?status=all&amp;q=pot"');
    expect(html).toContain(`action="/desk/tickets/${second}/answers?status=all&amp;q=pot"`);
    const sent = answer(service, second, { next: '1' });
    expect(await whereTo(sent)).toBe(`/desk/tickets/${third}?done=answered-next`);
    const fields = { id: crypto.randomUUID(), body: 'x', next: '1' };
    const inSearch = await post(service, `/tickets/${first}/answers${from}`, fields);
    expect(inSearch.headers.get('location')).toBe(
      `/desk/tickets/${third}?status=all&q=pot&done=answered-next`,
    );
  });

  it('is remembered for the agent, also when the answer is refused', async () => {
    const bea = createTestService();
    const tom = asColleague(bea, 'tom@example.com');
    const { id } = await bea.createTicket();
    const isChecked = async (service: TestService) =>
      /name="next" value="1" checked/.test(await pageText(service, `/tickets/${id}`));
    expect(await isChecked(bea)).toBe(false);
    await post(bea, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body: '', next: '1' });
    expect([await isChecked(bea), await isChecked(tom)]).toStrictEqual([true, false]);
    expect(await whereTo(answer(bea, id))).toContain(`/desk/tickets/${id}?done=answered#`);
    expect(await isChecked(bea)).toBe(false);
  });
});
