/** Sizes of housekeeping's batches. All statements share one connection, so a request may have to wait for one batch. */
export const batches = {
  /** Rows that one statement changes or reads. The removal of a customer is a batch of its own. */
  rows: 20,
  /** Contacts that are unsealed in one batch, to find an address. */
  contacts: 200,
  /** The shortest and the longest pause after a batch, in milliseconds. */
  pauseMs: { min: 5, max: 1_000 },
  /** The length of the pause relative to the batch. On a slow disk or a busy processor, housekeeping does less. */
  pauseFactor: 3,
} as const;

/** The pause after a batch. Both in milliseconds. */
export function pauseAfter(batchMs: number): number {
  const { min, max } = batches.pauseMs;
  return Math.min(max, Math.max(min, batches.pauseFactor * batchMs));
}
