/** How many log lines are written. Further lines are only counted. */
export const logLines = {
  windowMs: 60_000,
  /** For one code, in a window. */
  perCode: 30,
  /** For requests with one route, status and error code, in a window. Failures of the server are not among them. */
  perRequestKind: 600,
} as const;
