import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredTicket } from '../../faults/servers/service.ts';

/** Before a write is carried out, and again before it is answered: a process that dies meanwhile leaves it in doubt. */
const longestStepMs = 150;

interface Message {
  id: string;
  created_at: string;
  author_type: 'customer' | 'agent';
  body: string;
}

interface Ticket {
  id: string;
  ticket_number: number;
  created_at: string;
  status: string;
  subject: string;
  description: string;
  customer: { email: string };
  messages: Message[];
}

export interface TicketRead {
  /** As `performance.now()`. */
  atMs: number;
  /** The API key of the reader. Each instance has its own key. */
  key: string;
}

type Fields = Record<'subject' | 'description' | 'customer_email' | 'body', string>;

/** A ticket service in memory. It executes every write, including repeated ones. */
export async function startRecordingService() {
  const tickets = new Map<string, Ticket>();
  /** By ticket, when it was read and under which key. */
  const reads = new Map<string, TicketRead[]>();
  let onChange: (ticketId: string) => void = () => {};

  const answer = (response: ServerResponse, status: number, data: unknown) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(status < 400 ? { data } : { error: data }));
  const pause = () => sleep(Math.random() * longestStepMs);
  const stamp = () => ({ id: randomUUID(), created_at: new Date().toISOString() });

  function open(fields: Fields): Ticket {
    const { subject, description, customer_email: email } = fields;
    const ticket_number = tickets.size + 1;
    const ticket = { ...stamp(), ticket_number, status: 'open', subject, description };
    const opened = { ...ticket, customer: { email }, messages: [] };
    tickets.set(opened.id, opened);
    onChange(opened.id);
    return opened;
  }

  function add(ticket: Ticket, author_type: Message['author_type'], body: string): Message {
    const message: Message = { ...stamp(), author_type, body };
    ticket.messages.push(message);
    onChange(ticket.id);
    return message;
  }

  async function write(request: IncomingMessage, response: ServerResponse, id?: string): Promise<void> {
    const fields = (await json(request)) as Fields;
    const ticket = id === undefined ? undefined : tickets.get(id);
    if (id !== undefined && !ticket) return void answer(response, 404, 'no such ticket');
    await pause();
    const written = ticket ? add(ticket, 'customer', fields.body) : open(fields);
    await pause();
    answer(response, 201, written);
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://service.test');
    const [, id, messages] = /^\/api\/v1\/tickets(?:\/([\w-]+)(\/messages)?)?$/.exec(url.pathname) ?? [];
    // The caller may have died before the answer.
    response.on('error', () => {});
    if (request.method === 'POST')
      write(request, response, messages ? id : undefined).catch(() => response.destroy());
    else if (id) {
      const read = { atMs: performance.now(), key: request.headers.authorization ?? '' };
      const ofTicket = reads.get(id) ?? [];
      ofTicket.push(read);
      reads.set(id, ofTicket);
      const ticket = tickets.get(id);
      answer(response, ticket ? 200 : 404, ticket ?? 'no such ticket');
    } else {
      const limit = Number(url.searchParams.get('limit') ?? 50);
      answer(response, 200, [...tickets.values()].slice(-limit).toReversed());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Reads of single tickets so far, by ticket. */
    reads: (): ReadonlyMap<string, readonly TicketRead[]> => reads,
    /** From now on this is called for each ticket that changes. */
    onChange: (listener: (ticketId: string) => void): void => void (onChange = listener),
    /** An agent's answer; its id. */
    addAnswer: (ticketId: string, body: string): string => add(tickets.get(ticketId)!, 'agent', body).id,
    stored: (): StoredTicket[] =>
      [...tickets.values()].map(({ id, subject, description, customer, messages }) => ({
        id,
        email: customer.email,
        subject,
        description,
        messages: messages.filter(({ author_type: author }) => author === 'customer'),
      })),
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type RecordingService = Awaited<ReturnType<typeof startRecordingService>>;
