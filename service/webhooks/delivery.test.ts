import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { openDatabase, type Db } from '../db/open.ts';
import { addAnswer, addNote } from '../tickets/add-message.ts';
import { createTestService, type TestService } from '../test-service.ts';
import { deleteOldEvents, recentDeliveries } from './deliveries.ts';
import { createEndpoint, deleteEndpoint, listEndpoints, setActive } from './endpoints.ts';
import { eventTypes, type EventType } from './events.ts';
import { startReceiver } from './test-receiver.ts';
import { startDeliveryWorker, type DeliveryWorker } from './worker.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function receive(answer: Parameters<typeof startReceiver>[0] = () => ({ status: 204 })) {
  const receiver = await startReceiver(answer);
  cleanups.push(receiver.stop);
  return receiver;
}

function work(db: Db, retryDelay: (failed: number) => number | null = () => 5): DeliveryWorker {
  const worker = startDeliveryWorker({
    db,
    log: pino({ level: 'silent' }),
    now: () => new Date(),
    retryDelay,
  });
  cleanups.push(worker.stop);
  return worker;
}

function subscribe({ db, workspace }: TestService, url: string, events: readonly EventType[] = eventTypes) {
  return createEndpoint(db, workspace.id, { url, events }, new Date());
}

const reports = ({ db, workspace }: TestService) => recentDeliveries(db, workspace.id, 10);

describe('delivery', () => {
  it('sends a ticket.created event whose signature the Standard Webhooks library verifies', async () => {
    const receiver = await receive();
    const service = createTestService();
    const secret = subscribe(service, receiver.url);
    const ticket = await service.createTicket();
    work(service.db);
    await expect.poll(() => reports(service)[0]).toMatchObject({ state: 'delivered', attempt_count: 1 });
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const payload = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(payload).toStrictEqual({
      type: 'ticket.created',
      timestamp: expect.any(String),
      data: { ticket_id: ticket.id, ticket_number: 1, ticket },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(() =>
      new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').verify(body, headers as Record<string, string>),
    ).toThrow('No matching signature');
  });

  it('sends public messages of customers and agents, and no internal note', async () => {
    const receiver = await receive();
    const service = createTestService();
    const { db, workspace, call, createTicket } = service;
    const { id } = await createTicket();
    subscribe(service, receiver.url, ['ticket.message.created']);
    const by = () => ({ id: crypto.randomUUID(), agentId: workspace.agentId });
    await call('POST', `/tickets/${id}/messages`, { body: 'From the customer' });
    addNote(db, workspace.id, id, { ...by(), body: 'Secret note' }, new Date());
    addAnswer(db, workspace.id, id, { ...by(), body: 'From the agent' }, new Date());
    await createTicket();
    work(db);
    await expect.poll(() => receiver.received).toHaveLength(2);
    expect(receiver.received.map(({ body }) => JSON.parse(body).data)).toMatchObject([
      { ticket_id: id, message: { author_type: 'customer', body: 'From the customer' } },
      { ticket_id: id, message: { author_type: 'agent', body: 'From the agent' } },
    ]);
  });

  it('tries again after a failure, with the same id and bytes', async () => {
    const receiver = await receive((count) => ({ status: count < 3 ? 503 : 200 }));
    const service = createTestService();
    subscribe(service, receiver.url);
    await service.createTicket();
    work(service.db);
    await expect.poll(() => reports(service)[0]).toMatchObject({ state: 'delivered', attempt_count: 3 });
    expect(
      new Set(receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size,
    ).toBe(1);
    expect(reports(service)[0]!.attempts.map(({ status }) => status)).toStrictEqual([503, 503, 200]);
  });

  it('logs an endpoint that cannot be reached and gives up when no attempt is left', async () => {
    const receiver = await receive();
    await receiver.stop();
    const service = createTestService();
    subscribe(service, receiver.url);
    await service.createTicket();
    work(service.db, (failed) => (failed < 2 ? 5 : null));
    await expect.poll(() => reports(service)[0]).toMatchObject({ state: 'failed', next_attempt_at: null });
    expect(reports(service)[0]!.attempts).toMatchObject([
      { status: null, error: 'ECONNREFUSED' },
      { status: null, error: 'ECONNREFUSED' },
    ]);
  });

  it('does not follow a redirect', async () => {
    const target = await receive();
    const receiver = await receive(() => ({ status: 307, location: target.url }));
    const service = createTestService();
    subscribe(service, receiver.url);
    await service.createTicket();
    work(service.db, () => null);
    await expect.poll(() => reports(service)[0]).toMatchObject({ state: 'failed' });
    expect(target.received).toHaveLength(0);
  });

  it('pauses an endpoint that answers 410', async () => {
    const receiver = await receive(() => ({ status: 410 }));
    const service = createTestService();
    subscribe(service, receiver.url);
    await service.createTicket();
    work(service.db);
    await expect.poll(() => reports(service)[0]).toMatchObject({ state: 'failed' });
    expect(listEndpoints(service.db, service.workspace.id)[0]!.is_active).toBe(false);
  });

  it('delivers to other endpoints without delay while one fails', async () => {
    const bad = await receive(() => ({ status: 500 }));
    const good = await receive();
    const service = createTestService();
    subscribe(service, bad.url);
    subscribe(service, good.url);
    const worker = work(service.db, () => 60_000);
    for (let count = 0; count < 3; count += 1) await service.createTicket();
    worker.wake();
    await expect.poll(() => good.received).toHaveLength(3);
  });
});

describe('outbox', () => {
  it('keeps its events when the database is closed and opened again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deskside-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'service.sqlite');
    const receiver = await receive();
    const before = createTestService({ db: openDatabase(file) });
    const secret = subscribe(before, receiver.url);
    await before.createTicket();
    before.db.close();
    const db = openDatabase(file);
    cleanups.push(() => db.close());
    work(db);
    await expect.poll(() => receiver.received).toHaveLength(1);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toBeTruthy();
  });

  it('queues nothing for paused, unsubscribed or foreign endpoints, and nothing when the ticket fails', async () => {
    const service = createTestService();
    const { db, workspace, addWorkspace, createTicket, call } = service;
    const url = 'https://example.com/hook';
    subscribe(service, url);
    setActive(db, workspace.id, listEndpoints(db, workspace.id)[0]!.id, false);
    subscribe(service, url, ['ticket.message.created']);
    createEndpoint(db, addWorkspace().id, { url, events: eventTypes }, new Date());
    await createTicket();
    await call('POST', '/tickets', {});
    expect(db.prepare('SELECT count(*) FROM webhook_deliveries').pluck().get()).toBe(0);
  });

  it('keeps the events for a paused endpoint until it is resumed', async () => {
    const [paused, active] = [await receive(), await receive()];
    const service = createTestService();
    const { db, workspace, createTicket } = service;
    subscribe(service, paused.url);
    subscribe(service, active.url);
    await createTicket();
    const { id } = listEndpoints(db, workspace.id)[0]!;
    setActive(db, workspace.id, id, false);
    const worker = work(db);
    await expect.poll(() => active.received).toHaveLength(1);
    expect(reports(service).at(-1)).toMatchObject({ endpoint_id: id, state: 'pending', attempt_count: 0 });
    setActive(db, workspace.id, id, true);
    worker.wake();
    await expect.poll(() => paused.received).toHaveLength(1);
  });

  it('drops deliveries with their endpoint, and only within the workspace', async () => {
    const service = createTestService();
    const { db, workspace, addWorkspace, createTicket } = service;
    subscribe(service, 'https://example.com/hook');
    await createTicket();
    const { id } = listEndpoints(db, workspace.id)[0]!;
    deleteEndpoint(db, addWorkspace().id, id);
    expect(reports(service)).toHaveLength(1);
    deleteEndpoint(db, workspace.id, id);
    expect(reports(service)).toHaveLength(0);
  });

  it('deletes settled events after 30 days, and never deletes waiting ones', async () => {
    const service = createTestService();
    const { db, createTicket } = service;
    subscribe(service, 'https://example.com/hook');
    await createTicket();
    await createTicket();
    db.prepare(`UPDATE webhook_deliveries SET state = 'delivered' WHERE id = 1`).run();
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    deleteOldEvents(db, days(29));
    expect(reports(service)).toHaveLength(2);
    deleteOldEvents(db, days(31));
    expect(reports(service).map(({ state }) => state)).toStrictEqual(['pending']);
  });
});
