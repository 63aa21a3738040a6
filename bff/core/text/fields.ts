import { z } from 'zod';
import { isBlank } from '../../../shared/contract/typed.ts';
import { canonical } from './canonical.ts';

/** The error of a field, as the message of zod's issue. */
export const required = 'required';
export const tooLong = 'too_long';
export const invalid = 'invalid';

/** Text of `min` to `max` UTF-16 units, before and after conversion. */
const text = (min: number, max: number, convert: (value: string) => string) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? required : invalid) })
    .transform((value) => (isBlank(value) ? '' : value.toWellFormed().trim()))
    .pipe(
      z
        .string()
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
 * Control characters, which a paste from a log or a table may bring along unseen, are left out or become spaces, and half
 * a character, as of an emoji that a script has cut, becomes U+FFFD: nobody could find them in a field to fix it.
 */

export const lines = (max: number, min = 1) => text(min, max, canonical);
export const line = (max: number) => text(1, max, (value) => canonical(value).replace(/[\t\n]/g, ' '));
