import { setImmediate } from 'node:timers/promises';
import type { Message } from '../../../shared/contract/tickets.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { V1Message, V1Thread } from '../v1/schema.ts';
import { isWithheld, mailIn } from './by-mail.ts';
import { isRepeat, splitFooter, type SplitText } from './footer.ts';
import {
  type ReadFiles,
  type SplitAgents,
  isUnderway,
  payloadOf,
  previewOf,
  textSent,
  toMessage,
} from './operations.ts';
import { canonical } from '../text/canonical.ts';

const asWritten: SplitAgents = (body) => ({ body });

/** The id of the description in a thread when the service does not repeat it as a message. */
export const descriptionId = 'description';

/** Oldest first. An entry without a time stays after its predecessor. */
export function inOrder(messages: readonly V1Message[]): V1Message[] {
  let last = 0;
  return messages
    .map((message, index) => {
      last = message.created_at ? Date.parse(message.created_at) : last;
      return { message, index, time: last };
    })
    .sort((a, b) => a.time - b.time || a.index - b.index)
    .map(({ message }) => message);
}

/** A thread without additions by the BFF and the service. `repeat`: the message that repeats the description. */
interface OwnTexts {
  description: SplitText;
  messages: readonly V1Message[];
  repeat: V1Message | null;
}

const isCustomers = ({ author_type }: V1Message) => author_type === 'customer';

const noText = { text: '', details: [] };
const knownBodies = new WeakMap<V1Message, SplitText>();

/** The text of a customer's message. Cached, because reading it costs much, and each viewer needs it. */
export function bodyOf(message: V1Message): SplitText {
  const body = knownBodies.get(message) ?? splitFooter(message.body);
  knownBodies.set(message, body);
  return body;
}

/** How many UTF-16 units are read before others have their turn: those that cost most take about 10 ms. */
const unitsAtOnce = 20_000;
/** A message costs as much as so many units. */
const unitsOfMessage = 200;

/** Reads the customers' texts of a thread, for those who need them at once later. Others have their turn in between. */
export async function readBodies({ messages }: V1Thread): Promise<void> {
  let units = 0;
  for (const message of messages.filter(isCustomers)) {
    bodyOf(message);
    units += message.body.length + unitsOfMessage;
    if (units < unitsAtOnce) continue;
    units = 0;
    await setImmediate();
  }
}

function ownTextsOf(thread: V1Thread): OwnTexts {
  const description = splitFooter(thread.description);
  const messages = inOrder(thread.messages);
  const first = messages.find(isCustomers);
  return {
    description,
    messages,
    repeat: first && isRepeat(bodyOf(first), description) ? first : null,
  };
}

const knownTexts = new WeakMap<V1Thread, OwnTexts>();

/** Cached, because the result is the same for all viewers of this thread. */
function textsOnce(thread: V1Thread): OwnTexts {
  const texts = knownTexts.get(thread) ?? ownTextsOf(thread);
  knownTexts.set(thread, texts);
  return texts;
}

interface Conversation {
  description: Message | null;
  messages: readonly V1Message[];
}

/** Some services repeat the description as the first message: it is shown once. */
function conversationOf(
  thread: V1Thread,
  claimed: ReadonlySet<string>,
  openedBy: string | null,
  readFiles: ReadFiles = () => ({}),
): Conversation {
  const {
    description: { text, details },
    messages,
    repeat,
  } = textsOnce(thread);
  const shown = repeat && !claimed.has(repeat.id) ? repeat : null;
  const description: Message = {
    id: shown?.id ?? descriptionId,
    key: openedBy,
    author_type: 'customer',
    body: text,
    created_at: thread.created_at ?? shown?.created_at ?? null,
    state: 'done',
    can_retry: false,
    hidden: false,
    ...readFiles(details),
    ...mailIn(details),
  };
  return {
    description: text ? description : null,
    messages: shown ? messages.filter((message) => message !== shown) : messages,
  };
}

/** How long a confirmed message may take to appear in reads. After that, its absence means that it was removed. */
const readLagMs = 60_000;

/**
 * The conversation as one subject may see it, oldest first, followed by the subject's messages that are not in it
 * yet. `sent`: this subject's operations on the ticket. `readAt`: when `thread` was read, Unix milliseconds.
 */
export function presentMessages(
  thread: V1Thread,
  readAt: number,
  sent: readonly OperationRow[],
  viewer: {
    isTrusted: boolean;
    isColleague: boolean;
    seal: Seal;
    readFiles?: ReadFiles;
    splitAgents?: SplitAgents;
  },
): Message[] {
  const { readFiles = () => ({}), splitAgents = asWritten } = viewer;
  const replies = sent.filter((row) => row.kind === 'message');
  const bySentId = new Map(replies.map((row) => [row.upstream_id, row]));
  const read = new Set(thread.messages.map(({ id }) => id));
  const isNotRead = (row: OperationRow) =>
    !read.has(row.upstream_id!) && row.finished_at! > readAt - readLagMs;
  const underway = replies.filter((row) => isUnderway(row) || (row.state === 'done' && isNotRead(row)));
  const opened = sent.find((row) => row.kind === 'ticket');
  const claimed = new Set([...bySentId.keys()].filter((id) => id !== null));
  const { description, messages } = conversationOf(thread, claimed, opened?.key ?? null, readFiles);

  const awaited = new Set(
    underway
      .filter((row) => row.state === 'sending' || row.state === 'unknown')
      .map((row) => payloadOf(viewer.seal, row))
      .map((payload) => payload && canonical(textSent(payload))),
  );
  const shown = messages.flatMap((message): Message[] => {
    const isCustomer = isCustomers(message);
    const own = bySentId.get(message.id);
    // It will be matched with the waiting operation. Until then the operation is shown in its place.
    if (isCustomer && !own && awaited.size > 0 && awaited.has(bodyOf(message).all)) return [];
    const { text, details } = isCustomer ? bodyOf(message) : noText;
    const mailed = mailIn(details);
    // SECURITY: the owner of the address may have written it, so only a subject that has proven the address may read
    // it.
    const isOwn = own !== undefined && !mailed.by_mail && !isWithheld(own);
    const hidden = isCustomer && !isOwn && !viewer.isTrusted;
    // A colleague could do nothing about it.
    if (hidden && viewer.isColleague) return [];
    const content = isCustomer ? { body: text, ...readFiles(details), ...mailed } : splitAgents(message.body);
    return [
      {
        id: message.id,
        key: own?.key ?? null,
        author_type: message.author_type,
        ...(hidden ? { body: '' } : content),
        created_at: message.created_at,
        state: 'done',
        can_retry: false,
        hidden,
      },
    ];
  });
  return [
    ...(description ? [description] : []),
    ...shown,
    ...underway.map((row) => toMessage(viewer.seal, row, readFiles)),
  ];
}

/** The number of agents' messages up to and including the one that was on screen. */
export function agentMessagesUpTo(thread: V1Thread, messageId: string): number {
  const { messages } = textsOnce(thread);
  const upTo = messages.findIndex(({ id }) => id === messageId) + 1;
  return messages.slice(0, upTo).filter(({ author_type }) => author_type === 'agent').length;
}

/** The number of agents' messages, by which unread ones are counted. */
export const countAgentMessages = (thread: V1Thread) =>
  thread.messages.filter(({ author_type }) => author_type === 'agent').length;

function previewIn(
  { author_type, body }: Pick<Message, 'author_type' | 'body'>,
  splitAgents: SplitAgents,
): TicketFacts['preview'] {
  const shown = author_type === 'agent' ? splitAgents(body) : { body };
  const text = previewOf(shown.body, author_type);
  return { author_type, text, ...(text === '' && shown.files && { files: shown.files }) };
}

/**
 * The facts of a ticket that lists show to every holder. Later messages of customers are left out, since holders with
 * different rights may not see each other's messages.
 */
export function factsOf(thread: V1Thread, splitAgents = asWritten): TicketFacts {
  const { description, messages } = conversationOf(thread, new Set(), null);
  const newest = messages.findLast(({ author_type }) => author_type === 'agent') ?? description;
  const preview = newest && previewIn(newest, splitAgents);
  return {
    ticket_number: thread.ticket_number,
    subject: thread.subject,
    status: thread.status,
    priority: thread.priority,
    created_at: thread.created_at,
    updated_at: newest?.created_at ?? thread.created_at,
    preview: preview ?? null,
  };
}
