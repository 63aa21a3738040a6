import type { Context } from 'hono';
import type { z } from 'zod';
import { Problem } from '../problem.ts';

/** Room for the longest valid ticket with every character escaped as a surrogate pair. */
export const maxBodyBytes = 512 * 1024;

/** Reads a JSON body and checks it; unknown fields are dropped. Throws a `Problem` (415 or 400) otherwise. */
export async function readBody<T extends z.ZodType>(c: Context, schema: T): Promise<z.output<T>> {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new Problem(415, 'Content-Type must be application/json');
  const result = schema.safeParse(parseJson(await c.req.arrayBuffer()));
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  for (const issue of result.error.issues) {
    const [field] = issue.path;
    if (field === undefined) throw new Problem(400, 'The body must be a JSON object');
    fields[String(field)] ??= issue.message;
  }
  throw new Problem(400, 'Invalid request', fields);
}

function parseJson(bytes: ArrayBuffer): unknown {
  try {
    // fatal: bytes that are not UTF-8 are refused, never stored as something else.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Problem(400, 'The body is not valid JSON');
  }
}
