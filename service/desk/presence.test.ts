import { describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../test-service.ts';
import { asColleague, asStranger, page, pageText, post } from './test-desk.ts';

describe('who else is here', () => {
  const open = async () => {
    let ms = Date.parse('2026-03-01T10:00:00.000Z');
    const bea = asColleague(createTestService({ now: () => new Date(ms) }), 'bea@example.com');
    const tom = asColleague(bea, 'tom@example.com');
    const { id } = await bea.createTicket();
    const ask = (service: TestService, here: string) =>
      page(service, `/tickets/${id}`, { 'x-desk-here': here });
    const seenBy = async (service: TestService, here = 'looking') =>
      /id="here">([^<]*)</.exec(await (await ask(service, here)).text())![1];
    const wait = (seconds: number) => {
      ms += seconds * 1000;
    };
    return { bea, tom, id, ask, seenBy, wait };
  };

  it('an agent who opened the ticket is shown to others, not to themselves, and gone after 15 seconds', async () => {
    const { bea, tom, id, seenBy, wait } = await open();
    await pageText(bea, `/tickets/${id}`);
    expect(await seenBy(bea)).toBe('');
    expect(await seenBy(tom)).toBe('Bea is looking at this.');
    wait(15);
    expect(await seenBy(tom)).toBe('');
  });

  it('an agent who writes is shown so, until they answer or open the ticket anew', async () => {
    const { bea, tom, id, ask, seenBy, wait } = await open();
    await ask(bea, 'writing');
    wait(6);
    await ask(bea, 'looking');
    expect(await seenBy(tom)).toBe('Bea is writing.');
    await post(bea, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body: 'Done' });
    expect(await seenBy(tom)).toBe('');
    await ask(bea, 'writing');
    await pageText(bea, `/tickets/${id}`);
    expect(await seenBy(tom)).toBe('Bea is looking at this.');
    wait(14);
    await ask(bea, 'writing');
    await ask(asColleague(bea, 'ana@example.com'), 'writing');
    expect(await seenBy(tom)).toBe('Ana and Bea are writing.');
  });

  it('a hidden tab is not here, and still sees who is', async () => {
    const { bea, tom, ask, seenBy } = await open();
    await ask(bea, 'looking');
    expect(await seenBy(tom, 'away')).toBe('Bea is looking at this.');
    expect(await seenBy(bea)).toBe('');
  });

  it('an open page gets the change, in the part of its version that is no news', async () => {
    const { bea, tom, id, ask } = await open();
    const versionIn = async (response: Response) =>
      /data-version="([^"]+)"/.exec(await response.text())![1]!.split('.');
    const [news, aside] = await versionIn(await ask(tom, 'looking'));
    const headers = { 'x-desk-here': 'looking', 'x-desk-version': `${news}.${aside}` };
    expect((await page(tom, `/tickets/${id}`, headers)).status).toBe(204);
    await ask(bea, 'looking');
    const [sameNews, newAside] = await versionIn(await page(tom, `/tickets/${id}`, headers));
    expect(sameNews).toBe(news);
    expect(newAside).not.toBe(aside);
  });

  it('an agent of another workspace is never here', async () => {
    const { tom, ask, seenBy } = await open();
    expect((await ask(asStranger(tom), 'writing')).status).toBe(404);
    expect(await seenBy(tom)).toBe('');
  });
});
