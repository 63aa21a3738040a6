import type { ShownMessage } from '../../outbox/sends.ts';

/** Messages further apart than this are in different groups. */
const togetherMs = 5 * 60_000;

export interface Group {
  author: ShownMessage['author_type'];
  /** ISO 8601 of the first message; null when the service gave none. */
  at: string | null;
  isNewDay: boolean;
  /** Begins with the message `markId`. */
  isMark: boolean;
  messages: ShownMessage[];
}

/** Groups messages of one author within minutes of each other, oldest first. The message `markId` begins a new group. */
export function groupMessages(messages: readonly ShownMessage[], markId: string | null = null): Group[] {
  const groups: Group[] = [];
  let at: string | null = null;
  let lastMs = NaN;
  let lastDay = NaN;
  for (const message of messages) {
    // A message without a time has that of the one before.
    at = message.created_at ?? at;
    const ms: number = at === null ? NaN : Date.parse(at);
    const day = new Date(ms).setHours(0, 0, 0, 0);
    const isNewDay = day !== lastDay && at !== null;
    const isMark = message.id !== null && message.id === markId;
    const group = groups.at(-1);
    if (group?.author === message.author_type && !isNewDay && !(ms - lastMs > togetherMs) && !isMark)
      group.messages.push(message);
    else groups.push({ author: message.author_type, at, isNewDay, isMark, messages: [message] });
    lastMs = ms;
    lastDay = day;
  }
  return groups;
}

export const isSameGroup = (a: Group, b: Group): boolean =>
  a.author === b.author &&
  a.at === b.at &&
  a.isNewDay === b.isNewDay &&
  a.messages.length === b.messages.length &&
  a.messages.every((message, place) => message === b.messages[place]);
