import type { ShownMessage } from '../state/sends.ts';

/** Messages further apart than this do not belong together. */
const togetherMs = 5 * 60_000;

export interface Group {
  author: ShownMessage['author_type'];
  /** ISO 8601 of the first message; null when the service gave none. */
  at: string | null;
  isNewDay: boolean;
  /** Begins with the message that is asked for. */
  isMark: boolean;
  messages: ShownMessage[];
}

/** Runs of one author's messages within minutes of each other, oldest first; the message `markId` begins its own. */
export function groupMessages(messages: readonly ShownMessage[], markId: string | null = null): Group[] {
  const groups: Group[] = [];
  let at: string | null = null;
  let lastMs = NaN;
  let lastDay = NaN;
  for (const message of messages) {
    // Without a time of its own it goes with the one before.
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
