import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Message {
  id: string;
  author_type: 'agent' | 'customer';
  body: string;
  created_at: string;
}

interface Ticket {
  id: string;
  subject: string;
  description: string;
  ticket_number: number;
  status: 'new';
  priority: 'medium';
  created_at: string;
  updated_at: string;
  messages: Message[];
}

/** A v1 service in this process, in which the bench answers as an agent. */
export async function startAnsweringService(now: () => number) {
  const tickets = new Map<string, Ticket>();
  const isoNow = () => new Date(now()).toISOString();

  function open({ subject, description }: Pick<Ticket, 'subject' | 'description'>): Ticket {
    const at = isoNow();
    const ticket: Ticket = {
      id: randomUUID(),
      subject,
      description,
      ticket_number: 1_000 + tickets.size,
      status: 'new',
      priority: 'medium',
      created_at: at,
      updated_at: at,
      messages: [],
    };
    tickets.set(ticket.id, ticket);
    return ticket;
  }

  async function answer(request: IncomingMessage): Promise<[status: number, data: unknown]> {
    const [, , , , id] = (request.url ?? '').split(/[/?]/);
    if (request.method === 'POST') return [201, open((await json(request)) as Ticket)];
    const { pathname } = new URL(request.url ?? '', 'http://service');
    if (pathname.endsWith('/tickets')) return [200, [...tickets.values()].slice(-50).reverse()];
    const ticket = id && tickets.get(id);
    return ticket ? [200, ticket] : [404, null];
  }

  const server = createServer((request, response) => {
    void answer(request).then(([status, data]) => {
      response.writeHead(status, { 'content-type': 'application/json', date: new Date(now()).toUTCString() });
      response.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** An agent's message; answers its id. */
    reply(ticketId: string, body: string): string {
      const ticket = tickets.get(ticketId)!;
      const message: Message = { id: randomUUID(), author_type: 'agent', body, created_at: isoNow() };
      ticket.messages.push(message);
      ticket.updated_at = message.created_at;
      return message.id;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
