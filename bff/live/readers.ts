/** What the viewers of one instance need of a ticket. */
export interface Interest {
  /** Someone has the thread on screen. */
  isOnScreen: boolean;
  /** Digest of the read that they have been told of. */
  seen: string;
}

/** The same of all other instances together. */
export interface Elsewhere {
  isOnScreen: boolean;
  seen: ReadonlySet<string>;
}

/** How several instances share the reads: each ticket is read by one of them, for the viewers of all. */
export interface Readers {
  /** The number of this instance's term as the reader of the ticket. Undefined when it is not its reader (any more). */
  termOf(ticketId: string): number | undefined;
  /** Whether an instance is known to read the ticket. Where none is, each reads for its own viewers. */
  hasReader(ticketId: string): boolean;
  /** Whether this instance reads the list of the newest tickets. */
  isLister(): boolean;
  /** The viewers of this instance need that. */
  want(ticketId: string, interest: Interest): void;
  /** The ticket has no viewers here any more. */
  drop(ticketId: string): void;
  /** What was read here for others is not what their viewers have been told. `digest`: of the read; '' when it failed. */
  found(ticketId: string, digest: string): void;
  /** The list shows that something has happened to these tickets, which are not watched here. */
  moved(ticketIds: readonly string[]): void;
}

/** The one instance there is. */
export const onlyReader: Readers = {
  termOf: () => 0,
  hasReader: () => true,
  isLister: () => true,
  want() {},
  drop() {},
  found() {},
  moved() {},
};
