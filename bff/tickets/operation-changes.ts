import type { Store } from '../store/open.ts';

/** The sender's tickets that a change is for. */
export interface ReassignedFrom {
  subjectId: string;
  /** Only what this session sent; undefined: what any session of the subject sent. */
  sessionId?: string | undefined;
  /** Only what belongs to tickets that were opened under this address; undefined: everything. */
  addressHash?: string | undefined;
}

/**
 * What happens to sends when the holders of a ticket change. `delivery` makes these changes, since it alone writes
 * operations. Each runs in the caller's transaction, `db`.
 */
export interface OperationChanges {
  /** Marks the tickets that the subject holds under its proven address: nobody else can claim them any more. */
  markOwned(subjectId: string, db: Store): Promise<void>;
  /** Makes due what others than `ownerId` sent to these tickets and have not decided about: it is then refused. */
  endUndecided(ticketIds: readonly string[], ownerId: string, db: Store): Promise<void>;
  /** Makes another subject the sender. */
  reassign(from: ReassignedFrom, toId: string, db: Store): Promise<void>;
}
