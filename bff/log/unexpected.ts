import type { Log } from './log.ts';

/**
 * Puts into the log what would otherwise be printed with all that an error holds: errors that nobody caught, which end the
 * process as before, and what libraries print.
 */
export function logUnexpected(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.report('crashed', { err });
    process.exit(1);
  });
  const report = (err: unknown) => log.report('library_error', { err });
  // Such as Hono's server adapter, of an answer that could not be written, or whose client has gone.
  Object.assign(console, { error: report, warn: report, info: () => {}, log: () => {} });
}
