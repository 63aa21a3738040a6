/** How much the log takes; what is more is only counted. */
export const logLines = {
  windowMs: 60_000,
  /** Of one code in a window. */
  perCode: 30,
  /** Of requests with one route, status and error code in a window: those that are not failures of the server. */
  perRequestKind: 600,
} as const;
