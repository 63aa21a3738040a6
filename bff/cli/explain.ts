import { ConfigError } from '../config.ts';
import { AppError } from '../errors.ts';

/**
 * Explains an error to the operator in one plain line, such as errors in the configuration, a port in use, or a store
 * that cannot be opened.
 */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof AppError && error.code === 'upstream_unavailable')
    return 'the ticket service cannot be read at the moment: try again later';
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  return code === 'EADDRINUSE'
    ? `port ${port} is in use: set PORT or ADMIN_PORT to a free one`
    : error.message;
}
