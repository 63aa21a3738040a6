import { paths } from '../../../../shared/contract/paths.ts';
import { type Rating, ratingPath } from '../../../../shared/contract/ratings.ts';
import type { TestBff } from '../../../testing/bff.ts';
import type { TestBrowser } from '../../../testing/browser.ts';

export const rate = (browser: TestBrowser, ticketId: string, rating: Rating | object) =>
  browser.request('PUT', ratingPath(ticketId), rating);

/** Support answers the ticket. */
export function answer(bff: TestBff, ticketId: string): void {
  bff.service.addMessage(ticketId, 'agent', 'Here you are');
  // What was just read is not read again.
  bff.clock.offsetMs += 2_000;
}

/** Whether the customer is asked, as their conversation says. */
export const askedIn = async (browser: TestBrowser, ticketId: string) =>
  (await browser.get(paths.ticket(ticketId))).data.rating as string | undefined;

/** A ticket that support has answered, and its customer has read. */
export async function openAnswered(bff: TestBff, browser = bff.browser(), more: object = {}) {
  const { data } = await browser.openTicket(more);
  const id = data.id as string;
  answer(bff, id);
  await browser.get(paths.ticket(id));
  return { browser, id };
}
