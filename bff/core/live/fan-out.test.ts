import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { claim, signedIn, withIdentity } from '../../testing/identity.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';
import { Viewer } from './viewers.ts';
import { createPublisher } from './publish.ts';
import type { V1Message } from '../v1/schema.ts';

let bff: TestBff;
let streams: TestStreams;

beforeEach(async () => {
  bff = await startBff(withIdentity);
  streams = await startStreams(bff);
});
afterEach(async () => {
  await streams.stop();
  await bff.stop();
});

async function subjectOf(browser: TestBrowser): Promise<string> {
  const { data } = await browser.openTicket({ customer_email: 'other@example.com' });
  const query = bff.store.selectFrom('grants').select('subject_id').where('ticket_id', '=', data.id);
  return (await query.executeTakeFirstOrThrow()).subject_id;
}

/** Grants a ticket of another subject to a browser's subject, like a transfer that keeps the source's grant. */
async function shareTicket(browser: TestBrowser, ticketId: string): Promise<string> {
  const subject_id = await subjectOf(browser);
  await bff.store
    .insertInto('grants')
    .values({ subject_id, ticket_id: ticketId, created_at: 0, trusted: 0 })
    .execute();
  return subject_id;
}

const lastMessage = (stream: Awaited<ReturnType<TestStreams['listen']>>) => stream.of('message').at(-1);

describe('one change of a ticket, for viewers with different rights', () => {
  it('shows the text of another customer only to viewers who have proven the address [isolation-34]', async () => {
    const owner = await signedIn(bff, 'ada@example.com');
    const { data: ticket } = await owner.openTicket();
    const untrusted = bff.browser();
    await shareTicket(untrusted, ticket.id);
    const writer = bff.browser();
    await shareTicket(writer, ticket.id);
    const [forOwner, forUntrusted, forWriter] = [
      await streams.listen(owner.cookie, ticket.id),
      await streams.listen(untrusted.cookie, ticket.id),
      await streams.listen(writer.cookie, ticket.id),
    ];
    const body = 'My new address is 5 Mill Lane';
    const { data: reply } = await writer.post(paths.messages(ticket.id), { body });
    await until(() => {
      expect(lastMessage(forOwner)).toMatchObject({ message: { id: reply.id, body, hidden: false } });
      expect(lastMessage(forUntrusted)).toMatchObject({ message: { id: reply.id, body: '', hidden: true } });
      expect(lastMessage(forWriter)).toMatchObject({ message: { key: reply.key, body, hidden: false } });
    });
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    await until(() => {
      for (const stream of [forOwner, forUntrusted, forWriter])
        expect(lastMessage(stream)).toMatchObject({ message: { body: 'On its way.' } });
    });
    expect(JSON.stringify(forUntrusted.seen)).not.toContain(body);
    // Only the writer may see the key of their send.
    for (const stream of [forOwner, forUntrusted])
      expect(JSON.stringify(stream.seen)).not.toContain(reply.key);
  });

  it('leaves out viewers whose right or session ended since the last change [isolation-35]', async () => {
    const owner = bff.browser();
    const { data: ticket } = await owner.openTicket();
    const [revoked, signedOut] = [bff.browser(), bff.browser()];
    const revokedId = await shareTicket(revoked, ticket.id);
    const signedOutId = await shareTicket(signedOut, ticket.id);
    const [forOwner, forRevoked, forSignedOut] = [
      await streams.listen(owner.cookie, ticket.id),
      await streams.listen(revoked.cookie, ticket.id),
      await streams.listen(signedOut.cookie, ticket.id),
    ];
    await bff.store
      .deleteFrom('grants')
      .where('subject_id', '=', revokedId)
      .where('ticket_id', '=', ticket.id)
      .execute();
    await bff.store.deleteFrom('sessions').where('subject_id', '=', signedOutId).execute();
    bff.service.addMessage(ticket.id, 'agent', 'For Ada only');
    await until(() => expect(lastMessage(forOwner)).toMatchObject({ message: { body: 'For Ada only' } }));
    await forSignedOut.ended;
    expect(JSON.stringify([...forRevoked.seen, ...forSignedOut.seen])).not.toContain('For Ada only');
    expect(forSignedOut.of('session').at(-1)).toMatchObject({ customer: null });
    expect(forRevoked.isOpen()).toBe(true);
  });

  it('uses the rights as they are after all data was looked up [isolation-36]', async () => {
    const stranger = bff.browser();
    const { data: ticket } = await stranger.openTicket();
    const owner = await signedIn(bff, 'ada@example.com');
    const forStranger = await streams.listen(stranger.cookie, ticket.id);
    await until(() => expect(forStranger.of('freshness')).toHaveLength(1));
    const lookUp = bff.views.sessions;
    const claimed = new Promise<void>((resolve) => {
      vi.spyOn(bff.views, 'sessions').mockImplementationOnce(async (all) => {
        const sessionOf = await lookUp(all);
        await claim(owner);
        resolve();
        return sessionOf;
      });
    });
    bff.service.addMessage(ticket.id, 'agent', 'For the owner only');
    await claimed;
    await forStranger.ended;
    expect(JSON.stringify(forStranger.seen)).not.toContain('For the owner only');
  });

  it('has for each viewer their own unread count and customer', async () => {
    const owner = bff.browser();
    const { data: ticket } = await owner.openTicket();
    const reader = bff.browser();
    await shareTicket(reader, ticket.id);
    const first = bff.service.addMessage(ticket.id, 'agent', 'We look into it.');
    await reader.request('POST', paths.read(ticket.id), { message_id: first.id });
    const [forOwner, forReader] = [
      await streams.listen(owner.cookie, ticket.id),
      await streams.listen(reader.cookie, ticket.id),
    ];
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    await until(() => {
      expect(forOwner.of('ticket').at(-1)).toMatchObject({ id: ticket.id, unread: 2 });
      expect(forReader.of('ticket').at(-1)).toMatchObject({ id: ticket.id, unread: 1 });
      expect(forOwner.of('session').at(-1)).toMatchObject({
        unread: 2,
        customer: { email: 'ada@example.com' },
      });
      expect(forReader.of('session').at(-1)).toMatchObject({
        unread: 1,
        customer: { email: 'other@example.com' },
      });
    });
    expect(forOwner.of('ticket').at(-1).key).not.toBeNull();
    expect(forReader.of('ticket').at(-1).key).toBeNull();
  });
});

it('a change of a ticket takes as many statements for fifty viewers as for one', async () => {
  const owner = bff.browser();
  const { data: ticket } = await owner.openTicket();
  // It reads the store in the background, and these reads would be counted.
  await bff.worker.stop();
  for (const part of bff.parts) await part.close?.();
  const read = (await bff.threads.refresh(ticket.id))!;
  const publisher = createPublisher({
    ...bff,
    answerDelays: bff.metrics.answerDelays,
    serviceNow: Date.now,
    onError: (error) => {
      throw error;
    },
  });
  const written: string[] = [];
  async function join(n: number): Promise<Viewer> {
    const subject_id = await bff.subjects.create({ email: `viewer${n}@example.com`, name: null });
    const { session } = await bff.sessions.issue(subject_id, { isSignedIn: false, isBearer: false });
    await bff.store
      .insertInto('grants')
      .values({ subject_id, ticket_id: ticket.id, created_at: 0, trusted: n % 2 })
      .execute();
    const who = { subjectId: subject_id, sessionId: session.id, thread: ticket.id, after: null };
    const viewer = new Viewer(who, {
      write: (parts) => written.push(...parts.map(String)),
      end: () => {},
    });
    await publisher.sync(viewer);
    return viewer;
  }
  const viewers: Viewer[] = [];
  for (let n = 0; n < 50; n += 1) viewers.push(await join(n));
  const statements = vi.spyOn(bff.metrics.statementDurations, 'observe');
  const earlier: V1Message[] = [];
  async function statementsFor(to: Viewer[], body: string): Promise<number> {
    const message = { id: body, author_type: 'agent', body, created_at: new Date().toISOString() } as const;
    const thread = { ...read.thread, messages: [...read.thread.messages, ...earlier, message] };
    earlier.push(message);
    statements.mockClear();
    expect((await publisher.ticket(to, ticket.id, { ...read, thread })).size).toBe(0);
    const count = statements.mock.calls.length;
    expect(written.filter((text) => text.includes(`"body":"${body}"`))).toHaveLength(to.length);
    return count;
  }
  const forOne = await statementsFor(viewers.slice(0, 1), 'We look into it.');
  expect(await statementsFor(viewers, 'On its way.')).toBe(forOne);
});
