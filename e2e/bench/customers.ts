import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gateHeader, idempotencyHeader, paths } from '../../shared/contract/paths.ts';

export const newTicket = {
  subject: 'A question',
  description: 'What now?',
  customer_email: 'a@example.com',
};

export interface Customer {
  /** Of their requests. */
  headers: Record<string, string>;
  /** Of their last ticket. */
  id: string;
}

/** Opens tickets as one new customer of the BFF at `url`; each has an address by their number. */
export async function openTickets(url: string, count: number, customer = 0): Promise<Customer> {
  const headers: Record<string, string> = {
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': `10.9.${customer >> 8}.${customer & 255}`,
    [gateHeader]: '1',
  };
  let id: string | null = null;
  for (let n = 0; n < count; n += 1) {
    const key = randomUUID();
    // On a busy machine a ticket may be answered as waiting: then its repeat has the id.
    do {
      const opened = await fetch(url + paths.tickets, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json', [idempotencyHeader]: key },
        body: JSON.stringify({ ...newTicket, customer_email: `customer${customer}@example.com` }),
      });
      if (!opened.ok) throw new Error(`a ticket was not opened: ${opened.status}`);
      headers['Cookie'] ??= opened.headers.get('set-cookie')!.split(';')[0]!;
      ({ id } = ((await opened.json()) as { data: { id: string | null } }).data);
    } while (id === null && (await sleep(100, true)));
  }
  return { headers, id: id! };
}
