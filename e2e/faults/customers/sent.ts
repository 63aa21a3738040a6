import type { FilePlan } from '../schedules/plan.ts';
import type { OperationState } from '../../../shared/contract/tickets.ts';

/** The state of a send for its customer at the end. */
export type End =
  | 'done'
  | 'rejected'
  /** The customer may send it again, or decide on the ticket that it waits for. */
  | 'undecided'
  /** Still being tried. */
  | 'unsettled'
  /** The BFF accepted it and does not know it any more. */
  | 'forgotten';

/** One send, as its customer saw it. */
export interface Sent {
  key: string;
  email: string;
  /** As typed. */
  text: string;
  /** Those that it was posted with. */
  files: readonly FilePlan[];
  /** Null for a ticket; for a reply the send that opens its ticket. */
  opening: Sent | null;
  /** Of a ticket. */
  subject: string;
  /** Every state that was reported to the customer, in order, without repeats. */
  told: OperationState[];
  /** Whether the customer ever had to decide on it. Later messages need not wait for such a send. */
  wasUndecided: boolean;
  end: End;
  /** The status and code with which the BFF refused it. */
  refusal: string | null;
  ticketId: string | null;
  messageId: string | null;
}
