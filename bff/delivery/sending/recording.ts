import { newRowId } from '../../store/row-id.ts';
import type { Accepted } from '../ledger/accept.ts';
import { isSending, type Sending } from '../ledger/attempts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Sender } from './send.ts';

interface RecordingDeps {
  ledger: Pick<Ledger, 'accept'>;
  sender: Pick<Sender, 'attempt'>;
  hasPlace: () => boolean;
  /** Whether an operation of this ticket is in progress. */
  isInProgress: (ticketId: string) => boolean;
  /** Sends an operation that was begun, in the place that was reserved for it. */
  start: (row: Sending) => void;
  /** Called with the id of an operation that was not recorded, or perhaps was. */
  onFailed: (id: string) => void;
  /** Called when a reserved place was not used. */
  onFree: () => void;
}

/** Records sends. While a place is free, a send is begun in the same write, and then sent at once. */
export function createRecording(deps: RecordingDeps) {
  const { ledger, sender, hasPlace, isInProgress, start, onFailed, onFree } = deps;
  /** With their tickets. Each of them has reserved a place. */
  const begins = new Map<Promise<Accepted>, string | null>();

  function isBusy(ticketId: string | null): boolean {
    if (ticketId === null) return false;
    for (const other of begins.values()) if (other === ticketId) return true;
    return isInProgress(ticketId);
  }

  async function begin(...send: Parameters<Ledger['accept']>): Promise<Accepted> {
    const accepted = await ledger.accept(...send);
    if (isSending(accepted.row)) start(accepted.row);
    return accepted;
  }

  return {
    get reserved(): number {
      return begins.size;
    },

    /** Whether another operation of this ticket is in progress, or is being recorded to be sent at once. */
    isBusy,

    /** Records a send as the ledger's `accept` does. If a place is free, it also leases the send and starts it. */
    async accept(...send: Parameters<Ledger['accept']>): Promise<Accepted> {
      const [session, key, request, options] = send;
      const to = request.kind === 'message' ? request.to : { ticketId: null };
      // A reply waits until its ticket exists, and until the reply before it has been sent.
      if (!('ticketId' in to) || isBusy(to.ticketId) || !hasPlace()) return ledger.accept(...send);
      const id = newRowId();
      const attempt = sender.attempt(to.ticketId);
      const beginning = begin(session, key, request, { ...options, id, attempt });
      begins.set(beginning, to.ticketId);
      const row = await beginning.then(
        (accepted) => accepted.row,
        () => null,
      );
      begins.delete(beginning);
      if (!row) onFailed(id);
      if (!row || !isSending(row)) onFree();
      return beginning;
    },

    /** Resolves when everything that was begun has been started. */
    settle: () => Promise.allSettled(begins.keys()),
  };
}
