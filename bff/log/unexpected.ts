import type { Log } from './log.ts';

/**
 * Logs uncaught errors, which still end the process, and the output of libraries. Otherwise they would be printed with
 * all their content.
 */
export function logUnexpected(log: Log): void {
  process.on('uncaughtException', (err) => {
    log.report('crashed', { err });
    process.exit(1);
  });
  const report = (err: unknown) => log.report('library_error', { err });
  // For example Hono's server adapter prints answers that could not be written, or whose client has gone.
  Object.assign(console, { error: report, warn: report, info: () => {}, log: () => {} });
}
