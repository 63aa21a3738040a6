import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { UnreachableError } from '../store/errors.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await bff.stop();
});

const isThread = (path: string) => /\/tickets\/[^/]+$/.test(path);

describe('reading a ticket', () => {
  it('is one read for all who ask at once', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ada.get(paths.ticket(ticket.id))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(bff.service.calls.filter(({ path }) => isThread(path))).toHaveLength(1);
  });

  it('shows the last known state when the service fails or is slow', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const good = await ada.get(paths.ticket(ticket.id));
    bff.clock.offsetMs = 5_000;
    bff.service.answer = () => ({ statusCode: 500 });
    expect((await ada.get(paths.ticket(ticket.id))).data).toEqual(good.data);
    vi.spyOn(bff.v1, 'getTicket').mockReturnValue(new Promise(() => {}));
    expect((await ada.get(paths.ticket(ticket.id))).data).toEqual(good.data);
  });

  it('is done anew though the clock was set back since the last read', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    await ada.get(paths.ticket(ticket.id));
    bff.clock.setAheadMs = -3_600_000;
    bff.clock.offsetMs = 5_000;
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    const { data } = await ada.get(paths.ticket(ticket.id));
    expect(data.messages.at(-1)).toMatchObject({ body: 'On its way.' });
  });

  it('succeeds while the store is away and the service answers', async () => {
    const { data: ticket } = await bff.browser().openTicket();
    const away = new UnreachableError(new Error('the network is cut'));
    vi.spyOn(bff.ticketRecords, 'save').mockRejectedValue(away);
    vi.spyOn(bff.ticketRecords, 'isMerged').mockRejectedValue(away);
    expect(await bff.threads.refresh(ticket.id)).toMatchObject({ isFresh: true, isClosed: false });
  });

  it('writes to the store only what has changed at the service', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const row = () =>
      bff.store.selectFrom('tickets').selectAll().where('id', '=', ticket.id).executeTakeFirstOrThrow();
    const readAfter = async (offsetMs: number) => {
      bff.clock.offsetMs = offsetMs;
      await ada.get(paths.ticket(ticket.id));
      return row();
    };
    const first = await readAfter(0);
    expect(await readAfter(5_000)).toEqual(first);
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    expect(await readAfter(10_000)).toMatchObject({ agent_count: 1 });
    expect((await ada.get(paths.tickets)).data[0]).toMatchObject({ unread: 1 });
  });

  it('is repeated to mark a message as read that another device has shown, and the mark is refused while that fails', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    await ada.get(paths.ticket(ticket.id));
    const seenElsewhere = { message_id: bff.service.addMessage(ticket.id, 'agent', 'On its way.').id };
    bff.service.answer = () => ({ statusCode: 500, data: '' });
    expect((await ada.post(paths.read(ticket.id), seenElsewhere)).status).toBe(503);
    bff.service.answer = undefined;
    expect((await ada.post(paths.read(ticket.id), seenElsewhere)).status).toBe(200);
    bff.clock.offsetMs = 60_000;
    await ada.get(paths.ticket(ticket.id));
    expect((await ada.get(paths.tickets)).data[0]).toMatchObject({ unread: 0 });
  });

  it('that was never read shows what was sent here, and is marked as not read', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.answer = () => ({ statusCode: 500, data: 'internal words' });
    const { status, data, text } = await ada.get(paths.ticket(ticket.id));
    expect([status, data.id, data.read_at, data.closed]).toEqual([200, ticket.id, null, false]);
    expect(data.messages).toEqual([expect.objectContaining({ body: ticketBody.description, state: 'done' })]);
    expect(text).not.toContain('internal words');
  });

  it('that is gone shows what was sent here, and is closed', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.tickets.clear();
    const { data } = await ada.get(paths.ticket(ticket.id));
    expect(data).toMatchObject({ closed: true, read_at: null, messages: [{ body: ticketBody.description }] });
  });

  it('that was reported gone is open again once it can be read', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.answer = () => ({ statusCode: 404 });
    expect((await ada.get(paths.ticket(ticket.id))).data.closed).toBe(true);
    bff.service.answer = undefined;
    expect((await ada.get(paths.ticket(ticket.id))).data.closed).toBe(false);
  });

  it('keeps the last known state of a ticket that the service no longer has, and closes it', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    await ada.get(paths.ticket(ticket.id));
    bff.service.tickets.clear();
    bff.clock.offsetMs = 5_000;
    expect((await ada.get(paths.ticket(ticket.id))).data).toMatchObject({
      closed: true,
      subject: ticket.subject,
    });
  });
});
