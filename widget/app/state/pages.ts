import type { Message, OperationState, Ticket } from '../../../bff/contract/tickets.ts';

export interface Named {
  id: string | null;
  key: string | null;
}

export interface Sent extends Named {
  state: OperationState;
}

export const namesOf = ({ id, key }: Named) => [id, key].filter((name) => name !== null);

export const isFinal = ({ state }: Pick<Sent, 'state'>) => state === 'done' || state === 'rejected';

/** Answers overtake each other: what is at its end never goes back to an earlier state. */
export const goesBack = (known: Pick<Sent, 'state'>, word: Pick<Sent, 'state'>) =>
  isFinal(known) && !isFinal(word);

/** Nor does what has an id wait for one again. */
export const further = <Item extends Sent>(known: Item | undefined, item: Item): Item =>
  known && ((known.id !== null && item.id === null) || goesBack(known, item)) ? known : item;

/** The same said again stays the same object, so that nothing is drawn anew for it. */
export const newer = <Item extends Sent>(known: Item | undefined, item: Item): Item =>
  JSON.stringify(known) === JSON.stringify(item) ? known! : further(known, item);

type Messages = readonly Message[];
type Part = Pick<Ticket, 'messages' | 'has_earlier'>;

/** Behind all that is not later. Without a time of its own a message is on its way, so newer than all. */
function insert(messages: Messages, message: Message): Message[] {
  const { created_at: at } = message;
  const isNotLater = (other: Message) => at === null || (other.created_at !== null && other.created_at <= at);
  const place = messages.findLastIndex(isNotLater) + 1;
  return [...messages.slice(0, place), message, ...messages.slice(place)];
}

/** A conversation with one message that has come or changed. */
export function joinMessage({ messages, has_earlier }: Part, message: Message): Part {
  const names = new Set(namesOf(message));
  const known = messages.find((other) => namesOf(other).some((name) => names.has(name)));
  const kept = newer(known, message);
  // The server may have had a reason for its place.
  if (known && known.created_at === kept.created_at)
    return { messages: messages.map((other) => (other === known ? kept : other)), has_earlier };
  const others = messages.filter((other) => other !== known);
  // Older than all that is here: it comes with its page.
  const isApart = !known && has_earlier && insert(others, kept)[0] === kept;
  return { messages: isApart ? [...messages] : insert(others, kept), has_earlier };
}

/**
 * A conversation with one more page of it: what stands within the page's reach and not in the page is gone, but for what
 * `stays`. Null: the page does not join on to what is here.
 */
export function joinPage(held: Ticket, page: Ticket, stays: (message: Message) => boolean): Part | null {
  // Without a read these are only some of the messages.
  if (page.read_at === null) return page.messages.reduce<Part>(joinMessage, held);
  const byName = new Map(held.messages.flatMap((each) => namesOf(each).map((name) => [name, each])));
  const inPage = new Set(page.messages.flatMap(namesOf));
  const isInPage = (message: Message) => namesOf(message).some((name) => inPage.has(name));
  const placeOf = (name: string) => held.messages.findIndex((each) => namesOf(each).includes(name));

  let start = 0;
  let end = held.messages.length;
  if (page.before !== null) end = placeOf(page.before);
  else if (page.after !== null) start = placeOf(page.after) + 1;
  else if (held.read_at !== null) {
    // An own message may be here before what others wrote earlier: it shows no page to join on.
    const first = page.messages.find(({ key }) => key === null);
    start = Math.max(0, first ? placeOf(first.id!) : held.messages.findIndex(isInPage));
  }
  if (end < 0 || (page.after !== null && start === 0)) return null;

  const others = (from: number, to: number) =>
    held.messages.slice(from, to).filter((message) => !isInPage(message));
  const told = page.messages.map((message) =>
    newer(byName.get(message.id ?? '') ?? byName.get(message.key ?? ''), message),
  );
  // Of the same time as the first of the page, it may stand right before it.
  const border = start > 0 && page.messages[0]?.created_at;
  const isAtBorder = ({ created_at }: Message) => created_at !== null && created_at === border;
  const within = others(start, end)
    .filter((message) => stays(message) || isAtBorder(message))
    .reduce(insert, told);
  return {
    messages: [...others(0, start), ...within, ...others(end, held.messages.length)],
    has_earlier: start > 0 ? held.has_earlier : page.has_earlier,
  };
}
