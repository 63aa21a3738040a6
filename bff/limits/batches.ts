/**
 * How much the purge does before it lets requests go first. All statements share one connection, so a request waits for
 * about one batch.
 */
export const batches = {
  /** Rows that one statement changes, or looks at. */
  rows: 100,
  /** Customers that are removed with everything of theirs, each in a transaction. */
  customers: 5,
  /** Contacts that are unsealed in one go, to find an address. */
  contacts: 200,
  /** Pause behind each batch, in milliseconds. */
  pauseMs: 10,
} as const;
