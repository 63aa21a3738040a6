/** What the viewers of one instance need of a ticket. */
export interface Interest {
  /** Someone has the thread on screen. */
  isOnScreen: boolean;
  /** Digest of the last read that these viewers were sent. */
  seen: string;
}

/** The combined interest of all other instances. */
export interface Elsewhere {
  isOnScreen: boolean;
  seen: ReadonlySet<string>;
}

/** How several instances share the reads. Each ticket is read by one instance, for the viewers of all. */
export interface Readers {
  /**
   * The number of this instance's term as the ticket's reader. Undefined when it is not (or no longer) the reader.
   */
  termOf(ticketId: string): number | undefined;
  /** Whether an instance is known to read the ticket. Without one, each instance reads for its own viewers. */
  hasReader(ticketId: string): boolean;
  /** Whether this instance reads the list of the newest tickets. */
  isLister(): boolean;
  /** Records what the viewers of this instance need. */
  want(ticketId: string, interest: Interest): void;
  /** To be called when the ticket has no viewers here any more. */
  drop(ticketId: string): void;
  /**
   * To be called when a read shows something that viewers of other instances were not sent. `digest`: of the read; ''
   * when it failed.
   */
  found(ticketId: string, digest: string): void;
  /** To be called when the list shows changes of these tickets, which have no watch here. */
  moved(ticketIds: readonly string[]): void;
  /** This instance's fraction of all reads. */
  share(): number;
  /** Of the `shardCount` shards of tickets, those that this instance reads. */
  shards(): number;
}

/** Tickets are divided into so many shards, each read by one instance. */
export const shardCount = 256;

/** For a single instance. The readers of several take its place in the object that the core uses. */
export const onlyReader: Readers = {
  termOf: () => 0,
  hasReader: () => true,
  isLister: () => true,
  want() {},
  drop() {},
  found() {},
  moved() {},
  share: () => 1,
  shards: () => shardCount,
};
