import type { Operation, OperationState } from '../../../shared/contract/tickets.ts';
import type { Sent } from './sent.ts';

/** Records in a send what the BFF answered about it. */
export function createSendRecord() {
  const doneSince = new Map<Sent, number>();

  function recordState(send: Sent, state: OperationState, askedAt: number): void {
    // Of two answers in flight, the older may arrive last.
    if (askedAt < (doneSince.get(send) ?? 0)) return;
    if (state === 'done' && !doneSince.has(send)) doneSince.set(send, performance.now());
    if (send.told.at(-1) !== state) send.told.push(state);
  }

  return {
    recordState,
    recordOperation(send: Sent, operation: Operation, askedAt: number): void {
      recordState(send, operation.state, askedAt);
      send.ticketId = operation.ticket_id ?? send.ticketId;
      send.messageId = operation.message_id ?? send.messageId;
      if (operation.can_retry) send.wasUndecided = true;
      if (operation.state === 'done' || operation.state === 'rejected') send.end = operation.state;
      else send.end = operation.can_retry || send.opening?.end === 'undecided' ? 'undecided' : 'unsettled';
    },
    recordRefusal(send: Sent, refusal: string, askedAt: number): void {
      recordState(send, 'rejected', askedAt);
      send.end = 'rejected';
      send.refusal = refusal;
    },
  };
}
