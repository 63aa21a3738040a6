import type { Session } from '../../shared/contract/session.ts';
import type { Message, Ticket } from '../../shared/contract/tickets.ts';
import type { Scene } from './canned-bff.ts';
import type { Copy } from './copy.ts';

/** The moment that every screen shows: a Thursday. */
export const now = new Date('2026-03-12T10:30:00Z');

const minuteMs = 60_000;
const ago = (minutes: number) => new Date(now.getTime() - minutes * minuteMs).toISOString();
const dayMinutes = 24 * 60;

const email = 'ada@example.com';
export const chippedId = '10000000-0000-4000-8000-000000000001';
const refundId = '10000000-0000-4000-8000-000000000002';
const waitingKey = '10000000-0000-4000-8000-000000000003';

export const stranger = ({ brand }: Copy): Session => ({
  customer: null,
  unread: 0,
  brand,
  claimable: 0,
  transferable: 0,
  moved: false,
  email_code: true,
});

export const known = (copy: Copy, more: Partial<Session> = {}): Session => ({
  ...stranger(copy),
  customer: { email, name: copy.name, verified: false, owner: null },
  ...more,
});

/** A customer whose address is proven. */
export const proven = (copy: Copy, address = email): Session['customer'] => ({
  email: address,
  name: copy.name,
  verified: true,
  owner: 'ada',
});

/** `minutes`: how long ago; the id follows from the place in the conversation. */
function message(place: number, author: Message['author_type'], minutes: number, body: string): Message {
  const id = `20000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
  return {
    id,
    key: author === 'customer' ? id : null,
    author_type: author,
    body,
    created_at: ago(minutes),
    state: 'done',
    can_retry: false,
    hidden: false,
  };
}

const ticket = (id: string, subject: string, messages: Message[], more: Partial<Ticket> = {}): Ticket => {
  const last = messages.findLast(({ hidden }) => !hidden);
  return {
    id,
    key: null,
    ticket_number: 1042,
    subject,
    status: 'open',
    priority: null,
    created_at: messages[0]?.created_at ?? null,
    updated_at: last?.created_at ?? null,
    unread: 0,
    state: 'done',
    can_retry: false,
    preview: last ? { author_type: last.author_type, text: last.body.slice(0, 140) } : null,
    messages,
    has_earlier: false,
    before: null,
    after: null,
    read_at: now.toISOString(),
    closed: false,
    ...more,
  };
};

/** Over two days, with runs of messages from either side, a link, line breaks and emoji. */
const conversation = (copy: Copy): Message[] => [
  message(1, 'customer', dayMinutes + 64, copy.greeting),
  message(2, 'customer', dayMinutes + 63, copy.problem),
  message(3, 'customer', dayMinutes + 61, copy.more),
  message(4, 'agent', dayMinutes + 12, copy.answer),
  message(5, 'agent', dayMinutes + 11, copy.question),
  message(6, 'customer', 42, copy.thanks),
  message(7, 'agent', 9, copy.late),
];

const chipped = (copy: Copy, messages = conversation(copy), more: Partial<Ticket> = {}) =>
  ticket(chippedId, copy.subjects.chipped, messages, more);

const refund = (copy: Copy) =>
  ticket(refundId, copy.subjects.refund, [message(31, 'agent', 9 * dayMinutes, copy.answer)], {
    ticket_number: 981,
    unread: 1,
    status: 'waiting_for_supplier',
  });

const waiting = (copy: Copy): Ticket => ({
  ...ticket('', copy.subjects.delivery, [message(41, 'customer', 2, copy.question)]),
  id: null,
  key: waitingKey,
  ticket_number: null,
  status: 'new',
  state: 'accepted',
});

export const noTickets = (copy: Copy): Scene => ({ session: stranger(copy), tickets: [] });

/** Unread answers are in two, so that the list is shown and not the one conversation that has them. */
export const someTickets = (copy: Copy): Scene => ({
  session: known(copy, { unread: 2 }),
  tickets: [waiting(copy), chipped(copy, undefined, { unread: 1 }), refund(copy)],
});

export const oneThread = (copy: Copy, more: Partial<Ticket> = {}): Scene => ({
  session: known(copy),
  tickets: [chipped(copy, undefined, more)],
});

/** All that can become of the customer's own messages. */
export const everyState = (copy: Copy): Scene => {
  const own = (place: number, body: string, more: Partial<Message>) => ({
    ...message(place, 'customer', 5, body),
    ...more,
  });
  const messages: Message[] = [
    own(51, '', { key: null, hidden: true }),
    message(52, 'agent', 20, copy.answer),
    own(53, copy.thanks, { id: null, state: 'sending' }),
    own(54, copy.question, { id: null, state: 'accepted' }),
    own(55, copy.greeting, { id: null, state: 'unknown', can_retry: true }),
    own(56, copy.late, { id: null, state: 'rejected', error: 'invalid_request' }),
  ];
  return { session: known(copy), tickets: [chipped(copy, messages)] };
};

/** `count` messages, one a minute, from both sides in turn. */
export const longThread = (copy: Copy, count: number): Scene => {
  const texts = [copy.greeting, copy.answer, copy.thanks, copy.question, copy.more];
  const messages = Array.from({ length: count }, (_, index) =>
    message(
      index + 1,
      index % 4 < 2 ? 'customer' : 'agent',
      count - index,
      `${index + 1}. ${texts[index % texts.length]}`,
    ),
  );
  return { session: known(copy), tickets: [chipped(copy, messages)] };
};
