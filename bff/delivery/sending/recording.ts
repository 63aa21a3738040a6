import type { Accepted } from '../ledger/accept.ts';
import { isSending, type Sending } from '../ledger/attempts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Sender } from './send.ts';

interface RecordingDeps {
  ledger: Pick<Ledger, 'accept'>;
  sender: Pick<Sender, 'attempt'>;
  hasPlace: () => boolean;
  /** Sends an operation that was begun, in the place that was reserved for it. */
  start: (row: Sending) => void;
  /** Called when a reserved place was not used. */
  onFree: () => void;
}

/** Records sends. While a place is free, a send is begun in the same write, and then sent at once. */
export function createRecording({ ledger, sender, hasPlace, start, onFree }: RecordingDeps) {
  /** Each of them has reserved a place. */
  const begins = new Set<Promise<Accepted>>();

  async function begin(...send: Parameters<Ledger['accept']>): Promise<Accepted> {
    const accepted = await ledger.accept(...send);
    if (isSending(accepted.row)) start(accepted.row);
    return accepted;
  }

  return {
    get reserved(): number {
      return begins.size;
    },

    /** As the ledger's `accept`. */
    async accept(...send: Parameters<Ledger['accept']>): Promise<Accepted> {
      const [session, key, request, options] = send;
      const to = request.kind === 'message' ? request.to : { ticketId: null };
      // A reply cannot be sent before its ticket exists.
      if (!('ticketId' in to) || !hasPlace()) return ledger.accept(...send);
      const beginning = begin(session, key, request, { ...options, attempt: sender.attempt(to.ticketId) });
      begins.add(beginning);
      const row = await beginning.then(
        (accepted) => accepted.row,
        () => null,
      );
      begins.delete(beginning);
      if (!row || !isSending(row)) onFree();
      return beginning;
    },

    /** Resolves when everything that was begun has been started. */
    settle: () => Promise.allSettled(begins),
  };
}
