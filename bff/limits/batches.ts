/**
 * How much the purge does before it lets requests go first. All statements share one connection, so a request waits for
 * about one batch.
 */
export const batches = {
  /** Rows that one statement changes, or looks at. A customer who is removed is a batch of their own. */
  rows: 50,
  /** Contacts that are unsealed in one go, to find an address. */
  contacts: 200,
  /** Pause behind each batch, in milliseconds. */
  pauseMs: 5,
} as const;
