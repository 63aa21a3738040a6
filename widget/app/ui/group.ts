import type { ShownMessage } from '../state/sends.ts';

/** Messages further apart than this do not belong together. */
const togetherMs = 5 * 60_000;

export interface Group {
  author: ShownMessage['author_type'];
  /** ISO 8601 of the first message; null when the service gave none. */
  at: string | null;
  isNewDay: boolean;
  messages: ShownMessage[];
}

const dayOf = (iso: string) => new Date(iso).toDateString();

/** Runs of one author's messages within minutes of each other, oldest first. */
export function groupMessages(messages: readonly ShownMessage[]): Group[] {
  const groups: Group[] = [];
  let last: string | null = null;
  for (const message of messages) {
    const at: string | null = message.created_at ?? last;
    const isNewDay = at !== null && (last === null || dayOf(last) !== dayOf(at));
    const isFar = at !== null && last !== null && Date.parse(at) - Date.parse(last) > togetherMs;
    const group = groups.at(-1);
    if (group?.author === message.author_type && !isNewDay && !isFar) group.messages.push(message);
    else groups.push({ author: message.author_type, at, isNewDay, messages: [message] });
    last = at;
  }
  return groups;
}
