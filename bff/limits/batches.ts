/**
 * How much the purge does before it lets requests go first. All statements share one connection, so a request waits for
 * about one batch.
 */
export const batches = {
  /** Rows that one statement changes, or looks at. A customer who is removed is a batch of their own. */
  rows: 20,
  /** Contacts that are unsealed in one go, to find an address. */
  contacts: 200,
  /** The shortest and the longest pause behind a batch, in milliseconds. */
  pauseMs: { min: 5, max: 1_000 },
  /** How many times as long as its batch a pause is: on a slow disk, or a busy processor, the purge does less. */
  pauseFactor: 3,
} as const;

/** How long to pause behind a batch. Both in milliseconds. */
export function pauseAfter(batchMs: number): number {
  const { min, max } = batches.pauseMs;
  return Math.min(max, Math.max(min, batches.pauseFactor * batchMs));
}
