import type { Context } from 'hono';
import { codePoints } from '../tickets/model.ts';

/** The text fields of a sent form; files and nested names are left out. */
export async function readForm(c: Context): Promise<Record<string, string>> {
  const fields = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      // Browsers send line ends of a textarea as CRLF.
      typeof value === 'string' ? [[name, value.replace(/\r\n?/g, '\n')]] : [],
    ),
  );
}

/** A trimmed text of 1 to `max` code points, or the sentence that says what is wrong. */
export function checkText(value: string | undefined, max: number): { text: string } | { fault: string } {
  const text = (value ?? '').trim();
  if (text === '') return { fault: 'Write something first.' };
  const excess = codePoints(text) - max;
  return excess > 0
    ? { fault: `This is ${excess} characters too long (at most ${max.toLocaleString('en')}).` }
    : { text };
}
