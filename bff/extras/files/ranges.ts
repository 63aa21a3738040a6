import type { ByteRange } from './store.ts';

/* Conditions of a request for a file: whether the client has it, and which part is wanted (RFC 9110). */

/** The part that a `Range` header asks for. Undefined: all of it, as for what we do not support. Null: there is none. */
export function rangeIn(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  return first > last ? null : { first, last };
}

/** Whether an `If-None-Match` header names this tag. */
export const hasTag = (header: string | undefined, tag: string): boolean =>
  header === '*' ||
  (header ?? '')
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .includes(tag);
