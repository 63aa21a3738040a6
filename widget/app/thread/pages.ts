import type { Message, Ticket } from '../../../shared/contract/tickets.ts';
import { newerVersion, namesOf, type Sent } from '../ticket-list/names.ts';

/** The newer of two versions. An equal one keeps its object identity, so that it is not rendered again. */
export const newer = <Item extends Sent>(known: Item | undefined, item: Item): Item =>
  JSON.stringify(known) === JSON.stringify(item) ? known! : newerVersion(known, item);

type Messages = readonly Message[];
type LoadedMessages = Pick<Ticket, 'messages' | 'has_earlier'>;

/** Inserts a message after all that are not later. A message without a time is still being sent, so it goes last. */
function insert(messages: Messages, message: Message): Message[] {
  const { created_at: at } = message;
  const isNotLater = (other: Message) => at === null || (other.created_at !== null && other.created_at <= at);
  const place = messages.findLastIndex(isNotLater) + 1;
  return [...messages.slice(0, place), message, ...messages.slice(place)];
}

/** Adds or updates one message of a conversation. */
export function joinMessage({ messages, has_earlier }: LoadedMessages, message: Message): LoadedMessages {
  const names = new Set(namesOf(message));
  const known = messages.find((other) => namesOf(other).some((name) => names.has(name)));
  const kept = newer(known, message);
  // Unchanged time: it keeps the place that the server gave it.
  if (known && known.created_at === kept.created_at)
    return { messages: messages.map((other) => (other === known ? kept : other)), has_earlier };
  const others = messages.filter((other) => other !== known);
  // Older than all known messages: it comes with its page.
  const isApart = !known && has_earlier && insert(others, kept)[0] === kept;
  return { messages: isApart ? [...messages] : insert(others, kept), has_earlier };
}

/**
 * Adds a page to the cached part of a conversation. Messages within the page's range that are not in the page are dropped,
 * unless `isKept` returns true. Null when the page does not join the cached part.
 */
export function joinPage(
  cached: Ticket,
  page: Ticket,
  isKept: (message: Message) => boolean,
): LoadedMessages | null {
  // The service could not be read: these are only some of the messages.
  if (page.read_at === null) return page.messages.reduce<LoadedMessages>(joinMessage, cached);
  const byName = new Map(cached.messages.flatMap((each) => namesOf(each).map((name) => [name, each])));
  const inPage = new Set(page.messages.flatMap(namesOf));
  const isInPage = (message: Message) => namesOf(message).some((name) => inPage.has(name));
  const placeOf = (name: string) => cached.messages.findIndex((each) => namesOf(each).includes(name));

  let start = 0;
  let end = cached.messages.length;
  if (page.before !== null) end = placeOf(page.before);
  else if (page.after !== null) start = placeOf(page.after) + 1;
  else if (cached.read_at !== null && page.has_earlier) {
    // Not an own message: that may be known before earlier messages of others, so the page need not join there.
    const first = page.messages.find(({ key }) => key === null);
    start = Math.max(0, first ? placeOf(first.id!) : cached.messages.findIndex(isInPage));
  }
  if (end < 0 || (page.after !== null && start === 0)) return null;

  const others = (from: number, to: number) =>
    cached.messages.slice(from, to).filter((message) => !isInPage(message));
  const updated = page.messages.map((message) =>
    newer(byName.get(message.id ?? '') ?? byName.get(message.key ?? ''), message),
  );
  // A message with the same time as the page's first one may be just before the page.
  const startTime = start > 0 && page.messages[0]?.created_at;
  const isAtStart = ({ created_at }: Message) => created_at !== null && created_at === startTime;
  const within = others(start, end)
    .filter((message) => isKept(message) || isAtStart(message))
    .reduce(insert, updated);
  return {
    messages: [...others(0, start), ...within, ...others(end, cached.messages.length)],
    has_earlier: start > 0 ? cached.has_earlier : page.has_earlier,
  };
}
