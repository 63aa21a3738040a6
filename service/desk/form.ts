import type { Context } from 'hono';
import { Problem } from '../problem.ts';
import { codePoints } from '../tickets/model.ts';
import { sentences } from './sentences/sentences.ts';

const { errors, faults } = sentences;

/**
 * A sent form; browsers send line ends of a textarea as CRLF. A name that occurs twice has its last value.
 * Throws a `Problem` for a form of another content type.
 */
export async function readForm(c: Context): Promise<Record<string, string>> {
  return Object.fromEntries(await readFields(c));
}

/** The same with every value of every name, for boxes to tick. */
export async function readFields(c: Context): Promise<[name: string, value: string][]> {
  if (!/^application\/x-www-form-urlencoded(\s*;|$)/i.test(c.req.header('Content-Type') ?? ''))
    throw new Problem(415, errors.foreignForm);
  const fields = [...new URLSearchParams(await c.req.text())];
  return fields.map(([name, value]) => [name, value.replace(/\r\n?/g, '\n')]);
}

/** A trimmed text of 1 to `max` code points, or the sentence about the error. */
export function checkText(value: string | undefined, max: number): { text: string } | { fault: string } {
  const text = (value ?? '').trim();
  if (text === '') return { fault: faults.empty };
  const excess = codePoints(text) - max;
  return excess > 0 ? { fault: faults.tooLong(excess, max) } : { text };
}
