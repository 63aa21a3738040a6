import { createHash } from 'node:crypto';
import type { Context } from 'hono';

/** Changes when what a page shows does. Its part after the dot is for what is no news, such as who else is here. */
export function versionOf(shown: unknown, aside?: unknown): string {
  const hash = (value: unknown) =>
    createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
  return aside === undefined ? hash(shown) : `${hash(shown)}.${hash(aside)}`;
}

/** Whether the asking page shows this version already. */
export const hasVersion = (c: Context, version: string): boolean =>
  c.req.header('x-desk-version') === version;
