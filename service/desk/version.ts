import { createHash } from 'node:crypto';
import type { Context } from 'hono';

/** Changes when what a page shows does. */
export function versionOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16);
}

/** Whether the asking page shows this version already. */
export const hasVersion = (c: Context, version: string): boolean =>
  c.req.header('x-desk-version') === version;
