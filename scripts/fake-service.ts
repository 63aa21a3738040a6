import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from './serve.ts';

export interface FakeMessage {
  id: string;
  author_type: string;
  body: string;
  created_at: string | null;
}

export interface FakeTicket {
  id: string;
  [field: string]: unknown;
  messages: FakeMessage[];
}

export interface Reply {
  statusCode: number;
  data?: string;
  headers?: Record<string, string>;
}

export interface Call {
  method: string;
  path: string;
  body: Record<string, unknown>;
  headers: Record<string, string>;
}

export interface FakeServiceOptions {
  now?: () => number;
  /** Whether `calls` keeps every call. */
  keepsCalls?: boolean;
  /** Over HTTP, how long to wait before a write is executed, and again before it is answered, in milliseconds. */
  pauseMs?: () => number;
}

const json = (statusCode: number, body: unknown): Reply => ({ statusCode, data: JSON.stringify(body) });
const listLimit = 50;

/**
 * The one fake of a ticket service: tickets in memory, and their answers by `/api/v1`. Unit tests reach it without a
 * network (`bff/testing/fake-service.ts`), benches over HTTP (`listen`). It executes repeated writes again. `answer`,
 * when set, decides first: a hostile answer, an error for a call without one, or `undefined` to pass the call on.
 */
export function createFakeService(options: FakeServiceOptions = {}) {
  const { now = Date.now, keepsCalls = true, pauseMs } = options;
  const tickets = new Map<string, FakeTicket>();
  const calls: Call[] = [];
  const isoNow = (): string => new Date(fake.now()).toISOString();

  function execute({ method, path, body }: Call): Reply {
    const [, segment, isReply] = /^\/api\/v1\/tickets(?:\/([^/?]+))?(\/messages)?/.exec(path) ?? [];
    const id = segment && decodeURIComponent(segment);
    const ticket = id ? tickets.get(id) : undefined;
    if (id && !ticket) return json(404, { error: 'Not found' });
    if (method === 'POST' && isReply)
      return json(201, { data: fake.addMessage(id!, 'customer', String(body['body'])) });
    if (ticket) return json(200, { data: ticket });
    if (method === 'POST') {
      const { messages, customer, ...fields } = fake.addTicket({ ...body });
      return json(201, { data: fields });
    }
    const limit = Number(new URL(path, 'http://fake').searchParams.get('limit') ?? listLimit);
    const newest = limit > 0 ? [...tickets.values()].slice(-limit).reverse() : [];
    return json(200, { data: newest.map(({ messages, customer, ...fields }) => fields) });
  }

  const fake = {
    tickets,
    calls,
    now,
    /** Whether its answers have a `Date` header. */
    tellsTime: true,
    answer: undefined as ((call: Call) => Reply | Error | undefined) | undefined,
    /** Called with each call, whoever answers it. */
    onCall: (_: Call): void => {},
    /** Called with the id of each ticket that changes. */
    onChange: (_: string): void => {},
    writes: (): Call[] => calls.filter(({ method }) => method === 'POST'),
    addTicket(fields: Partial<FakeTicket> = {}): FakeTicket {
      const ticket: FakeTicket = {
        id: randomUUID(),
        ticket_number: 1000 + tickets.size,
        subject: 'A subject',
        description: 'A description',
        status: 'new',
        priority: 'medium',
        source: 'api',
        created_at: isoNow(),
        updated_at: isoNow(),
        customer_id: randomUUID(),
        customer: {
          name: 'Stored Name',
          email: fields['customer_email'] ?? 'ada@example.com',
          company: 'Stored Company',
        },
        messages: [],
        ...fields,
      };
      tickets.set(ticket.id, ticket);
      fake.onChange(ticket.id);
      return ticket;
    },
    addMessage(ticketId: string, author_type: string, body: string, at: number = fake.now()): FakeMessage {
      const message = { id: randomUUID(), author_type, body, created_at: new Date(at).toISOString() };
      tickets.get(ticketId)!.messages.push(message);
      fake.onChange(ticketId);
      return message;
    },
    /** What it answers to a call, or the error of a call without an answer. */
    respond(call: Call): Reply | Error {
      if (keepsCalls) calls.push(call);
      fake.onCall(call);
      return fake.answer?.(call) ?? execute(call);
    },
    /** Answers over HTTP on loopback. */
    async listen(): Promise<{ url: string; stop: () => Promise<void> }> {
      const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
        const { method = 'GET', url = '/' } = request;
        const text = (await buffer(request)).toString();
        const pauses = method === 'POST' && pauseMs;
        if (pauses) await sleep(pauses());
        const answer = fake.respond({
          method,
          path: url,
          body: text ? JSON.parse(text) : {},
          headers: request.headers as Record<string, string>,
        });
        if (pauses) await sleep(pauses());
        if (answer instanceof Error) return void response.socket?.resetAndDestroy();
        response.sendDate = false;
        response
          .writeHead(answer.statusCode, {
            'Content-Type': 'application/json',
            ...(fake.tellsTime && { Date: new Date(fake.now()).toUTCString() }),
            ...answer.headers,
          })
          .end(answer.data);
      };
      return serve((request, response) => {
        // The caller may have died before the answer.
        response.on('error', () => {});
        handle(request, response).catch(() => response.destroy());
      });
    },
  };
  return fake;
}

export type FakeService = ReturnType<typeof createFakeService>;

/** A fake that answers over HTTP. */
export async function startFakeService(options: FakeServiceOptions = {}) {
  const fake = createFakeService({ keepsCalls: false, ...options });
  return Object.assign(fake, await fake.listen());
}
