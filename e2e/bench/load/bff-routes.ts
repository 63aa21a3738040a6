import { paths } from '../../../bff/contract/paths.ts';
import { type Customer, headersOf, newTicket, openTickets } from './bff-customer.ts';
import type { Load } from './http-load.ts';

/** For sends: each entry is of another customer and ticket, because sends to one ticket are sequential. */
const senders = 200;

export interface Route {
  what: string;
  bff: Load;
  /** The request for servers that are measured beside the BFF: a path, and a body for a POST. */
  beside: { path: string; body?: object };
  /** Whether the ticket service has the requested data. */
  isOfService: boolean;
}

const sizeOf = async (url: string) => (await (await fetch(url)).arrayBuffer()).byteLength;

/** Creates the customers who request the routes. */
export async function prepareRoutes(
  url: string,
  service: { addAnswer(ticketId: string, body: string): unknown },
): Promise<Route[]> {
  const one = await openTickets(url, 1);
  const many = await openTickets(url, 20);
  const customers: Customer[] = [];
  for (let n = 0; n < senders; n += 1) customers.push(await openTickets(url, 1));
  service.addAnswer(one.id, 'We look into it.');

  const read = (what: string, path: string, by: Customer): Route => ({
    what,
    bff: { url: url + path, headers: headersOf(by) },
    beside: { path: `/api/v1/tickets/${one.id}` },
    isOfService: true,
  });
  const send = (what: string, body: object, pathOf: (customer: Customer) => string): Route => ({
    what,
    bff: {
      url,
      body,
      to: customers.map((each) => ({ path: pathOf(each), headers: headersOf(each) })),
    },
    beside: { path: '/api/v1/tickets', body: newTicket },
    isOfService: true,
  });
  const file = async (path: string): Promise<Route> => ({
    what: path.slice(1),
    bff: { url: url + path },
    beside: { path: `/plain/${await sizeOf(url + path)}` },
    isOfService: false,
  });
  return [
    read('conversation', paths.ticket(one.id), one),
    read('list of 1', paths.tickets, one),
    read('list of 20', paths.tickets, many),
    read('session', paths.session, one),
    send('reply', { body: 'And one more question.' }, ({ id }) => paths.messages(id)),
    send('ticket', newTicket, () => paths.tickets),
    await file('/frame'),
    await file('/widget.js'),
  ];
}
