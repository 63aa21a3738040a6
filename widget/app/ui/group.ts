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

const dayOf = (iso: string) => new Date(iso).toDateString();

/** Runs of one author's messages within minutes of each other, oldest first; the message `markId` begins its own. */
export function groupMessages(messages: readonly ShownMessage[], markId: string | null = null): Group[] {
  const groups: Group[] = [];
  let last: string | null = null;
  for (const message of messages) {
    const at: string | null = message.created_at ?? last;
    const isNewDay = at !== null && (last === null || dayOf(last) !== dayOf(at));
    const isFar = at !== null && last !== null && Date.parse(at) - Date.parse(last) > togetherMs;
    const isMark = message.id !== null && message.id === markId;
    const group = groups.at(-1);
    if (group?.author === message.author_type && !isNewDay && !isFar && !isMark) group.messages.push(message);
    else groups.push({ author: message.author_type, at, isNewDay, isMark, messages: [message] });
    last = at;
  }
  return groups;
}
