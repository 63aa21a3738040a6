import { randomUUID } from 'node:crypto';
import { gateHeader, idempotencyHeader, paths } from '../../../bff/contract/paths.ts';

/** The headers of a request from the frame of one customer. */
export const customerHeaders = {
  'Sec-Fetch-Site': 'same-origin',
  'X-Forwarded-For': '10.9.0.1',
  [gateHeader]: '1',
};

/** A new customer's ticket: its id, and the cookie of the session that has it. */
export async function openTicket({ url }: { url: string }): Promise<{ cookie: string; id: string }> {
  const opened = await fetch(url + paths.tickets, {
    method: 'POST',
    headers: { ...customerHeaders, 'Content-Type': 'application/json', [idempotencyHeader]: randomUUID() },
    body: JSON.stringify({
      subject: 'A question',
      description: 'What now?',
      customer_email: 'a@example.com',
    }),
  });
  const { data } = (await opened.json()) as { data: { id: string } };
  return { cookie: opened.headers.get('set-cookie')!.split(';')[0]!, id: data.id };
}
