import { UnreachableError } from '../../store/errors.ts';
import { newRowId } from '../../store/row-id.ts';
import type { Accepted, SendRequest } from '../ledger/accept.ts';
import { isLeasedHere, type LeasedOperation } from '../ledger/attempts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Sender } from './send.ts';

interface RecordingDeps {
  ledger: Pick<Ledger, 'accept'>;
  sender: Pick<Sender, 'describeAttempt'>;
  /** Whether a place can be reserved for a new send. */
  hasPlace: () => boolean;
  /** Whether an operation of this ticket is in progress. */
  isInProgress: (ticketId: string) => boolean;
  /** Sends a leased operation in the place that was reserved for it. */
  send: (row: LeasedOperation) => void;
  /** Called with the id of an operation whose write got no answer. The server may have made it all the same. */
  onUnanswered: (id: string) => void;
  /** Called when a reserved place was not used. */
  onFree: () => void;
}

/** The ticket of a send: null for a new one, undefined when the reply is for a ticket that does not exist yet. */
function ticketOf(request: SendRequest): string | null | undefined {
  if (request.kind === 'ticket') return null;
  return 'ticketId' in request.to ? request.to.ticketId : undefined;
}

/** Records sends. While a place is free, a send is leased in the same write and then sent at once. */
export function createRecording(deps: RecordingDeps) {
  const { ledger, sender, hasPlace, isInProgress, send, onUnanswered, onFree } = deps;
  /** Writes that lease what they record, with the operations. Each of them has reserved a place. */
  const pendingWrites = new Map<Promise<Accepted>, { id: string; ticketId: string | null }>();

  function isBusy(ticketId: string | null): boolean {
    if (ticketId === null) return false;
    for (const pending of pendingWrites.values()) if (pending.ticketId === ticketId) return true;
    return isInProgress(ticketId);
  }

  return {
    get reserved(): number {
      return pendingWrites.size;
    },

    /** Whether an operation is being recorded to be sent at once. */
    isPending: (id: string): boolean => [...pendingWrites.values()].some((pending) => pending.id === id),

    /** Whether another operation of this ticket is in progress, or is being recorded to be sent at once. */
    isBusy,

    /**
     * Records a send as the ledger's `accept` does. If a place is free, it is also leased and sent: a leased row in the
     * result is being sent already.
     */
    async accept(...[session, key, request, options]: Parameters<Ledger['accept']>): Promise<Accepted> {
      const ticketId = ticketOf(request);
      if (ticketId === undefined || isBusy(ticketId) || !hasPlace())
        return ledger.accept(session, key, request, options);
      const id = newRowId();
      const attempt = sender.describeAttempt(ticketId);
      const write = ledger.accept(session, key, request, { ...options, id, attempt });
      pendingWrites.set(write, { id, ticketId });
      let accepted: Accepted;
      try {
        accepted = await write;
      } catch (error) {
        pendingWrites.delete(write);
        if (error instanceof UnreachableError) onUnanswered(id);
        onFree();
        throw error;
      }
      pendingWrites.delete(write);
      if (isLeasedHere(accepted.row)) send(accepted.row);
      else onFree();
      return accepted;
    },

    /** Resolves when everything that was leased is being sent: `accept` has waited for each write longer than this. */
    settle: () => Promise.allSettled(pendingWrites.keys()),
  };
}
