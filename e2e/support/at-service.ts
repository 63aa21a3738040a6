import { expect } from '@playwright/test';
import type { Widget } from './pages/widget.ts';
import { accessTo, askService, readTickets } from './service-api.ts';
import type { Stack } from './stack.ts';

type Service = Pick<Stack, 'serviceUrl' | 'workspace'>;

/** Opens a ticket past Deskside, as by mail. */
export async function openElsewhere(
  service: Service,
  ticket: { customer_email: string; subject: string; description: string },
): Promise<void> {
  await askService(accessTo(service), '', ticket);
}

/** All tickets of this subject, of the 50 newest, by the service's own API. */
export async function ticketsAtService(service: Service, subject: string) {
  const tickets = await readTickets(accessTo(service), (ticket) => ticket.subject === subject);
  return tickets.map(({ ticket_number, description, messages }) => ({
    ticket_number,
    description,
    replies: messages.map(({ body }) => body),
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
  expect(await ticketsAtService(service, subject)).toEqual([
    { ticket_number: expect.any(Number), replies: [], ...texts },
  ]);
}
