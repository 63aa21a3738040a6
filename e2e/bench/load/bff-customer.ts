import { randomUUID } from 'node:crypto';
import { gateHeader, idempotencyHeader, paths } from '../../../bff/contract/paths.ts';

/** The headers of a request from the frame of one customer. */
export const customerHeaders = {
  'Sec-Fetch-Site': 'same-origin',
  'X-Forwarded-For': '10.9.0.1',
  [gateHeader]: '1',
};
export const newTicket = {
  subject: 'A question',
  description: 'What now?',
  customer_email: 'a@example.com',
};

export interface Customer {
  cookie: string;
  /** Of the last ticket. */
  id: string;
}

/** Opens tickets as one new customer of the BFF at `url`. */
export async function openTickets(url: string, count: number): Promise<Customer> {
  let cookie = '';
  let id = '';
  for (let n = 0; n < count; n += 1) {
    const opened = await fetch(url + paths.tickets, {
      method: 'POST',
      headers: {
        ...customerHeaders,
        'Content-Type': 'application/json',
        [idempotencyHeader]: randomUUID(),
        ...(cookie && { Cookie: cookie }),
      },
      body: JSON.stringify(newTicket),
    });
    cookie ||= opened.headers.get('set-cookie')!.split(';')[0]!;
    ({ id } = ((await opened.json()) as { data: { id: string } }).data);
  }
  return { cookie, id };
}

export const headersOf = ({ cookie }: Customer) => ({ ...customerHeaders, Cookie: cookie });
