import { createHash } from 'node:crypto';
import { countAgentMessages, inOrder } from '../../tickets/present.ts';
import type { Change } from '../newest-tickets/comparison.ts';
import type { ThreadRead } from '../../tickets/threads.ts';

/** Facts about the last read of a ticket, to compare the next one with. */
export interface Seen {
  /** Digest of the whole read. Empty before the first read. */
  digest: string;
  answers: number;
  /** Whether the newest message is the customer's. */
  isAwaited: boolean;
}

/** The state before the first read. New viewers count as waiting for an answer. */
export const unseen: Seen = { digest: '', answers: 0, isAwaited: true };

/** Summarizes a read, to compare the next one with. */
export function seenOf({ thread, isClosed }: ThreadRead): Seen {
  return {
    digest: createHash('sha1')
      .update(JSON.stringify([thread, isClosed]))
      .digest('base64url'),
    answers: countAgentMessages(thread),
    // The description is a message of the customer, too.
    isAwaited: inOrder(thread.messages).at(-1)?.author_type !== 'agent',
  };
}

/** The kind of change between two reads. The first read has none, since there is nothing to compare it with. */
export function changeBetween(last: Seen, seen: Seen): Change {
  if (last.digest === '' || last.digest === seen.digest) return 'nothing';
  return seen.answers > last.answers ? 'answer' : 'change';
}
