import type { Customer } from '../../../bff/contract/session.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Send } from './sends.ts';
import { ticketOf } from './sends.ts';
import { isSame } from './tickets.ts';

/*
 * What was written while nobody was signed in, and is still in this browser when somebody signs in. A script of the
 * host page can bring that about with an account of its own, so the rule is that of the BFF for tickets that it holds:
 * by itself only what stands under the proven address passes; the rest waits for a press.
 */

/**
 * An address in the spelling in which the BFF proves and compares it (`bff/session/address.ts`). For comparing alone:
 * what is no address has no other spelling.
 */
export function foldAddress(text: string): string {
  const [, local = '', host = ''] =
    /^([^@]+)@([\p{L}\p{M}\p{Nd}.-]+)$/u.exec(text.trim().normalize('NFC')) ?? [];
  if (!host) return text;
  try {
    const { hostname } = new URL(`http://${host.normalize('NFKC')}`);
    return `${local.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${hostname}`;
  } catch {
    return text;
  }
}

/** A ticket under the customer's proven address, or anything to a ticket that they have. */
export function comesAlong(
  send: Send,
  { email, verified }: Customer,
  list: readonly TicketSummary[],
): boolean {
  const isTheirs =
    verified && send.kind === 'ticket' && foldAddress(send.payload.customer_email) === foldAddress(email);
  return isTheirs || list.some((ticket) => isSame(ticket, ticketOf(send)));
}

/** Counts in the question. What the BFF holds it counts itself, and a reply goes with its ticket. */
export const isOffered = (send: Send): boolean =>
  send.kind === 'ticket' && !send.is_held && !send.is_declined;
