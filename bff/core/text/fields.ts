import { z } from 'zod';
import { canonical } from './canonical.ts';

/** The error of a field, as the message of zod's issue. */
export const required = 'required';
export const tooLong = 'too_long';
export const invalid = 'invalid';

/** Text of `min` to `max` UTF-16 units, before and after conversion. Lone surrogates are refused. */
const text = (min: number, max: number, convert: (value: string) => string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? required : invalid) })
    .transform((value) => value.trim())
    .pipe(
      z
        .string()
        .refine((value) => value.isWellFormed(), invalid)
        .refine((value) => value.length <= max, tooLong)
        .transform(convert)
        .pipe(
          z
            .string()
            .min(min, required)
            .refine((value) => value.length <= max, tooLong),
        ),
    );

/*
 * Control characters, which a paste from a log or a table may bring along unseen, are left out or become spaces: nobody
 * could find them in a field to fix it.
 */

export const lines = (max: number, min = 1) => text(min, max, canonical);
export const line = (max: number) => text(1, max, (value) => canonical(value).replace(/[\t\n]/g, ' '));
