import type { Store } from '../store/open.ts';

/** Selects the sender's tickets that a change applies to. */
export interface ReassignedFrom {
  subjectId: string;
  /** Only sends of this session. Undefined: sends of any session of the subject. */
  sessionId?: string | undefined;
  /** Only sends to tickets opened under this address. Undefined: all sends. */
  addressHash?: string | undefined;
}

/**
 * Changes of sends when the holders of a ticket change. `delivery` implements them, since it alone writes operations.
 * Each runs in the caller's transaction, `db`.
 */
export interface OperationChanges {
  /** Marks the tickets that the subject holds under its proven address, so that nobody else can claim them. */
  markOwned(subjectId: string, db: Store): Promise<void>;
  /** Makes undecided sends to these tickets due, except those by `ownerId`. They are then refused. */
  endUndecided(ticketIds: readonly string[], ownerId: string, db: Store): Promise<void>;
  /** Makes another subject the sender. */
  reassign(from: ReassignedFrom, toId: string, db: Store): Promise<void>;
}
