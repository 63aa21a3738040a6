import { createHash } from 'node:crypto';
import { countAgentMessages, inOrder } from '../../tickets/present.ts';
import type { Change } from '../newest-tickets/comparison.ts';
import type { ThreadRead } from '../../tickets/threads.ts';

/** What is remembered of the last read of a ticket, to compare the next one with. */
export interface Seen {
  /** Of all that was read. Empty before the first read. */
  digest: string;
  answers: number;
  /** The newest message is the customer's. */
  isAwaited: boolean;
}

/** Before the first read: who has come waits. */
export const unseen: Seen = { digest: '', answers: 0, isAwaited: true };

export function seenOf({ thread, isClosed }: ThreadRead): Seen {
  return {
    digest: createHash('sha1')
      .update(JSON.stringify([thread, isClosed]))
      .digest('base64url'),
    answers: countAgentMessages(thread),
    // The description alone is the customer's, too.
    isAwaited: inOrder(thread.messages).at(-1)?.author_type !== 'agent',
  };
}

/** What has happened between two reads. The first read finds nothing, since there is none to compare it with. */
export function changeBetween(last: Seen, seen: Seen): Change {
  if (last.digest === '' || last.digest === seen.digest) return 'nothing';
  return seen.answers > last.answers ? 'answer' : 'change';
}
