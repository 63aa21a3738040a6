import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const listLimit = 50;

interface Ticket {
  id: string;
  messages: object[];
  updated_at?: string;
}

/**
 * A ticket service in memory with only the routes that the BFF uses, so it costs the bench next to nothing. With
 * `listsChanges` its list has the tickets by their last change. Otherwise the list is empty.
 */
export async function startSlimService({ listsChanges = false } = {}) {
  const tickets = new Map<string, Ticket>();
  /** The tickets, with the most recently changed one at the end. */
  const changed = new Map<string, Ticket>();
  const answer = (response: ServerResponse, status: number, data: unknown) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data }));
  const stamp = () => ({ id: randomUUID(), created_at: new Date().toISOString() });
  let reads = 0;

  function add(ticketId: string, message: object): void {
    const ticket = tickets.get(ticketId)!;
    ticket.messages.push(message);
    if (!listsChanges) return;
    ticket.updated_at = new Date().toISOString();
    changed.delete(ticketId);
    changed.set(ticketId, ticket);
  }

  function newest(): object[] {
    const all = [...changed.keys()].slice(-listLimit).reverse();
    return all.map((id) => {
      const { messages, ...fields } = changed.get(id)!;
      return fields;
    });
  }

  const server = createServer((request, response) => {
    const id = /^\/api\/v1\/tickets\/([\w-]+)$/.exec(request.url ?? '')?.[1];
    const replied = /^\/api\/v1\/tickets\/([\w-]+)\/messages$/.exec(request.url ?? '')?.[1];
    if (request.method === 'POST') {
      void json(request).then((fields) => {
        if (replied) {
          const message = { ...stamp(), author_type: 'customer', ...(fields as object) };
          add(replied, message);
          return answer(response, 201, message);
        }
        const ticket = { ...stamp(), status: 'open', ...(fields as object), messages: [] };
        tickets.set(ticket.id, ticket);
        answer(response, 201, ticket);
      });
    } else if (id) {
      reads += 1;
      answer(response, 200, tickets.get(id));
    } else {
      reads += 1;
      answer(response, 200, newest());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Reads so far. */
    reads: () => reads,
    /** Of all tickets, oldest first. */
    ids: () => [...tickets.keys()],
    /** An agent's answer. */
    addAnswer: (ticketId: string, body: string, at = new Date()) =>
      add(ticketId, { ...stamp(), author_type: 'agent', body, created_at: at.toISOString() }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
