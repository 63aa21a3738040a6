import type { Sent } from '../customers/sent.ts';
import type { StoredTicket } from '../servers/service.ts';

export interface Evidence {
  /** In the order sent. */
  sent: readonly Sent[];
  /** All tickets of these customers at the service. */
  stored: readonly StoredTicket[];
  /** Whether the service has refused this send for good. */
  wasRefused: (send: Sent) => boolean;
  /** An outcome that one instance reported and could not record is looked up again by another one. */
  looksAgain?: boolean;
}

const isTextOf = (send: Sent, ticket: StoredTicket) =>
  ticket.email === send.email &&
  ticket.subject === send.subject &&
  (ticket.description === send.text || ticket.description.startsWith(`${send.text}\n\nDeskside:`));

/**
 * The violations, one line each; empty when every promise holds.
 * - a send reported as done is at the service under the reported id, and the report is never withdrawn; where it is
 *   looked up again, it is reported as done in the end;
 * - no send is at the service twice: equal texts are counted in each ticket or customer;
 * - every send ends done, rejected for a reason, or with its customer;
 * - the replies of a ticket are at the service in the order sent.
 */
export function judge({ sent, stored, wasRefused, looksAgain = false }: Evidence): string[] {
  const tickets = sent.filter(({ opening }) => !opening);
  const replies = sent.filter(({ opening }) => opening);
  return [
    ...sent.flatMap((send) => ends(send, wasRefused, looksAgain)),
    ...counts(
      tickets,
      ({ email, subject, text }) => JSON.stringify([email, subject, text]),
      (send) => stored.filter((ticket) => isTextOf(send, ticket)).map(({ id }) => id),
    ),
    ...counts(
      replies.filter(({ opening }) => opening?.ticketId),
      ({ opening, text }) => JSON.stringify([opening!.key, text]),
      (send) => {
        const ticket = stored.find(({ id }) => id === send.opening!.ticketId);
        return (ticket?.messages ?? []).filter(({ body }) => body === send.text).map(({ id }) => id);
      },
    ),
    ...strangers(sent, stored),
    ...tickets.flatMap((ticket) => order(ticket, replies, stored)),
  ];
}

const nameOf = ({ opening, email, subject, text, key }: Sent) =>
  `${opening ? 'reply' : `ticket ${subject}`} "${text}" of ${email} (${key})`;

function ends(send: Sent, wasRefused: Evidence['wasRefused'], looksAgain: boolean): string[] {
  const { told, end, opening } = send;
  const faults: string[] = [];
  const hasReason = wasRefused(send) || opening?.end === 'rejected';
  if (end === 'forgotten') faults.push('lost: the BFF does not know it any more');
  if (end === 'unsettled') faults.push(`no definite state: ${[...told, send.refusal ?? ''].join(', ')}`);
  if (end === 'rejected' && !hasReason)
    faults.push(`lost: rejected (${send.refusal}), but the service never refused it`);
  const done = told.indexOf('done');
  const isAskedAgain = !looksAgain && done < told.length - 1;
  if (done >= 0 && (end !== 'done' || isAskedAgain))
    faults.push(`taken back: ${told.join(', ')}, in the end ${end}`);
  return faults.map((fault) => `${fault}: ${nameOf(send)}`);
}

/** Compares the sends of each group with the ids of its messages at the service. */
function counts(
  sends: readonly Sent[],
  groupOf: (send: Sent) => string,
  storedOf: (send: Sent) => string[],
): string[] {
  const groups = new Set(sends.map(groupOf));
  return [...groups].flatMap((name) => {
    const group = sends.filter((send) => groupOf(send) === name);
    const ids = storedOf(group[0]!);
    const done = group.filter(({ end }) => end === 'done');
    const undecided = group.filter(({ end }) => end === 'undecided' || end === 'unsettled');
    const told = done.map(({ opening, ticketId, messageId }) => (opening ? messageId : ticketId));
    const lives = group.map(({ told: states, wasUndecided }) =>
      [...states, ...(wasUndecided ? ['was its customer’s to decide'] : [])].join(', '),
    );
    const what = `${nameOf(group[0]!)}, ${group.length} equal: ${lives.join(' | ')}`;
    const faults: string[] = [];
    if (new Set(told).size < told.length) faults.push(`lost: one id stands for two sends: ${what}`);
    if (told.some((id) => id === null || !ids.includes(id)))
      faults.push(`lost: told sent, not there: ${what}`);
    if (ids.length < done.length) faults.push(`lost: ${done.length} told sent, ${ids.length} there: ${what}`);
    if (ids.length > done.length + undecided.length)
      faults.push(
        `duplicated: ${done.length} told sent, ${undecided.length} undecided, ${ids.length} there: ${what}`,
      );
    return faults;
  });
}

/** Tickets that nobody sent, and messages that nobody sent to their ticket. */
function strangers(sent: readonly Sent[], stored: readonly StoredTicket[]): string[] {
  return stored.flatMap((ticket) => {
    const openings = sent.filter((send) => !send.opening && isTextOf(send, ticket));
    if (openings.length === 0) return [`duplicated: a ticket that nobody sent: ${ticket.description}`];
    const replies = sent.filter(({ opening }) => opening && openings.includes(opening));
    const texts = new Set(replies.map(({ text }) => text));
    return ticket.messages
      .filter(({ body }) => !texts.has(body))
      .map(({ body }) => `duplicated: a reply that nobody sent to this ticket: ${body}`);
  });
}

function order(ticket: Sent, replies: readonly Sent[], stored: readonly StoredTicket[]): string[] {
  const held = stored.find(({ id }) => id === ticket.ticketId)?.messages.map(({ id }) => id) ?? [];
  const places = replies
    .filter(({ opening, end, wasUndecided }) => opening === ticket && end === 'done' && !wasUndecided)
    .map(({ messageId }) => held.indexOf(messageId ?? ''));
  const isInOrder = places.every((place, nth) => nth === 0 || place > places[nth - 1]!);
  return isInOrder ? [] : [`out of order: ${places.join(', ')}: replies to ${nameOf(ticket)}`];
}
