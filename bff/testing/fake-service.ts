import { randomUUID } from 'node:crypto';
import { MockAgent } from 'undici';
import { maxResponseSize } from '../v1/requests.ts';

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

/** The error of a call when no service listens: the call was not executed. */
export const connectionRefused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
/** The error of a call when its connection breaks: the call may have been executed. */
export const connectionReset = () => Object.assign(new Error('socket'), { code: 'UND_ERR_SOCKET' });

const base = 'https://tickets.test';
const json = (statusCode: number, data: unknown): Reply => ({ statusCode, data: JSON.stringify(data) });

/**
 * A v1 service inside undici's MockAgent, so that a test can let it answer anything. Nothing reaches a network.
 * `calls` has all requests. `answer`, when set, decides first, and may pass a call on by returning `undefined`.
 */
export function createFakeService({ now }: { now: () => number }) {
  const tickets = new Map<string, FakeTicket>();
  const calls: Call[] = [];
  const agent = new MockAgent();
  agent.disableNetConnect();
  const fake = {
    url: base,
    agent,
    tickets,
    calls,
    now,
    /** Whether its answers have a `Date` header. */
    tellsTime: true,
    answer: undefined as ((call: Call) => Reply | Error | undefined) | undefined,
    writes: () => calls.filter(({ method }) => method === 'POST'),
    addTicket(fields: Partial<FakeTicket> = {}): FakeTicket {
      const ticket: FakeTicket = {
        id: randomUUID(),
        ticket_number: 1000 + tickets.size,
        subject: 'A subject',
        description: 'A description',
        status: 'new',
        priority: 'medium',
        source: 'api',
        created_at: new Date(fake.now()).toISOString(),
        updated_at: new Date(fake.now()).toISOString(),
        customer_id: randomUUID(),
        customer: { name: 'Stored Name', email: 'ada@example.com', company: 'Stored Company' },
        messages: [],
        ...fields,
      };
      tickets.set(ticket.id, ticket);
      return ticket;
    },
    addMessage(ticketId: string, author_type: string, body: string): FakeMessage {
      const message = { id: randomUUID(), author_type, body, created_at: new Date(fake.now()).toISOString() };
      tickets.get(ticketId)!.messages.push(message);
      return message;
    },
  };

  function respond(call: Call): Reply {
    const [, segment, isReply] = /^\/api\/v1\/tickets(?:\/([^/?]+))?(\/messages)?/.exec(call.path) ?? [];
    const id = segment && decodeURIComponent(segment);
    const ticket = id ? tickets.get(id) : undefined;
    if (id && !ticket) return json(404, { error: 'Not found' });
    if (call.method === 'POST' && isReply)
      return json(201, { data: fake.addMessage(id!, 'customer', String(call.body['body'])) });
    if (ticket) return json(200, { data: ticket });
    if (call.method === 'POST') {
      const { messages, customer, ...fields } = fake.addTicket({ ...call.body });
      return json(201, { data: fields });
    }
    const limit = Number(new URL(call.path, base).searchParams.get('limit'));
    const newest = [...tickets.values()].reverse().slice(0, limit);
    return json(200, { data: newest.map(({ messages, customer, ...fields }) => fields) });
  }

  const pool = agent.get(base);
  for (const method of ['GET', 'POST']) {
    pool
      .intercept({ path: () => true, method })
      .reply((options) => {
        const call: Call = {
          method,
          path: options.path,
          body: options.body ? JSON.parse(options.body as string) : {},
          headers: options.headers as Record<string, string>,
        };
        calls.push(call);
        const answer = fake.answer?.(call) ?? respond(call);
        if (answer instanceof Error) throw answer;
        if ((answer.data ?? '').length > maxResponseSize)
          throw Object.assign(new Error('too large'), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
        return {
          statusCode: answer.statusCode,
          data: answer.data ?? '',
          responseOptions: {
            headers: {
              ...(fake.tellsTime ? { date: new Date(fake.now()).toUTCString() } : {}),
              ...answer.headers,
            },
          },
        };
      })
      .persist();
  }
  return fake;
}
