import { expect } from '@playwright/test';
import type { Widget } from './pages/widget.ts';
import type { Stack } from './stack.ts';

type Service = Pick<Stack, 'serviceUrl' | 'workspace'>;

/** A ticket as the service holds it, merged ones apart: they are on no list. */
export interface HeldTicket {
  ticket_number: number;
  /** Without the line for agents. */
  description: string;
  /** In the service's order. */
  replies: string[];
}

async function read({ serviceUrl, workspace }: Service, path: string) {
  const headers = { Authorization: `Bearer ${workspace.api_key}` };
  const answer = await fetch(`${serviceUrl}/api/v1/tickets${path}`, { headers });
  return (await answer.json()).data;
}

/** Opens a ticket past Deskside, as by mail. */
export async function openElsewhere(
  { serviceUrl, workspace }: Service,
  ticket: { customer_email: string; subject: string; description: string },
): Promise<void> {
  const answer = await fetch(`${serviceUrl}/api/v1/tickets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${workspace.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(ticket),
  });
  expect(answer.status).toBe(201);
}

/** All tickets of this subject, of the 50 newest, by the service's own API. */
export async function heldTickets(service: Service, subject: string): Promise<HeldTicket[]> {
  const newest: { id: string; subject: string }[] = await read(service, '?limit=50');
  const ids = newest.filter((ticket) => ticket.subject === subject).map(({ id }) => id);
  const tickets = await Promise.all(ids.map((id) => read(service, `/${id}`)));
  return tickets.map(({ ticket_number, description, messages }) => ({
    ticket_number,
    description: description.replace(/\n\nDeskside: .*$/, ''),
    replies: messages.map(({ body }: { body: string }) => body),
  }));
}

export const frameOf = ({ page }: Pick<Widget, 'page'>) =>
  page.frames().find((frame) => frame.parentFrame() !== null)!;

/** What this browser has not seen confirmed yet; nothing where it keeps nothing. */
const outboxKeys = (widget: Widget) =>
  frameOf(widget).evaluate(() => {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith('deskside:v1:send:'));
    } catch {
      return [];
    }
  });

/** The open conversation ends as sent, nothing is left that could be sent again, and the service has it once. */
export async function expectSentOnce(
  widget: Widget,
  service: Service,
  { subject, ...texts }: { subject: string; description: string; replies?: string[] },
): Promise<void> {
  const { conversation } = widget;
  await expect(conversation.getByText(texts.replies?.at(-1) ?? texts.description)).toBeVisible();
  await expect(conversation.getByText('Sent', { exact: true })).toBeVisible({ timeout: 25_000 });
  await expect(conversation.getByText(/Sending…|Waiting to be delivered|Not sent/)).toHaveCount(0);
  await expect.poll(() => outboxKeys(widget)).toEqual([]);
  expect(await heldTickets(service, subject)).toEqual([
    { ticket_number: expect.any(Number), replies: [], ...texts },
  ]);
}
