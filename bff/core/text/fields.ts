import { z } from 'zod';
import { canonical } from './canonical.ts';

/** The error of a field, as the message of zod's issue. */
export const required = 'required';
export const tooLong = 'too_long';
export const invalid = 'invalid';

/**
 * Canonical text of `min` to `max` UTF-16 units, before and after conversion. Lone surrogates and matches of `refused`
 * are refused.
 */
const text = (min: number, max: number, refused?: RegExp) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? required : invalid) })
    .transform((value) => value.trim())
    .pipe(
      z
        .string()
        .refine((value) => value.isWellFormed() && !refused?.test(value), invalid)
        .refine((value) => value.length <= max, tooLong)
        .transform(canonical)
        .pipe(
          z
            .string()
            .min(min, required)
            .refine((value) => value.length <= max, tooLong),
        ),
    );

/** Control characters, which a paste from a log may bring along unseen, are left out: nobody can find them to mend it. */
export const lines = (max: number, min = 1) => text(min, max);
/** One line of text: control characters are refused. */
export const line = (max: number) => text(1, max, /[\p{Cc}\u2028\u2029]/u);
