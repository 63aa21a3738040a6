/** Customers of a BFF under a bench, who have opened their tickets by its API. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getGlobalDispatcher } from 'undici';
import { paths } from '../../shared/contract/paths.ts';
import type { Ticket } from '../../shared/contract/tickets.ts';
import { createBrowser } from '../faults/customers/browser.ts';

export const newTicket = {
  subject: 'A question',
  description: 'What now?',
  customer_email: 'a@example.com',
};

export type Customer = Awaited<ReturnType<typeof openTickets>>;

/** Opens tickets as one new customer of the BFF at `url`; each has an address by their number. */
export async function openTickets(url: string, count: number, customer = 0) {
  const { ask, headers } = createBrowser({
    bffUrl: () => url,
    address: `10.9.${customer >> 8}.${customer & 255}`,
    dispatcher: getGlobalDispatcher(),
  });
  const body = { ...newTicket, customer_email: `customer${customer}@example.com` };
  let id: string | null = null;
  for (let n = 0; n < count; n += 1) {
    const key = randomUUID();
    // On a busy machine a ticket may be answered as waiting: then its repeat has the id.
    do {
      const opened = await ask<Ticket>('POST', paths.tickets, { key, body });
      if (!opened?.data) throw new Error(`a ticket was not opened: ${opened?.status} ${opened?.error}`);
      ({ id } = opened.data);
    } while (id === null && (await sleep(100, true)));
  }
  return { headers: headers(), id: id! };
}
