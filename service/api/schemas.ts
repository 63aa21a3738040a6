import { z } from 'zod';
import { codePoints, maxLength, priorities } from '../tickets/model.ts';

/** Text of 1 to `max` Unicode code points, without changes. */
function text(max: number) {
  const error = `must be a string of 1 to ${max} characters`;
  return z.string({ error }).refine((value) => value !== '' && codePoints(value) <= max, { error });
}

/**
 * Lenient on purpose: an address that a caller's own check let through should not fail here. It requires any text, one
 * @, and labels of letters, digits and hyphens in any script.
 */
const emailShape =
  /^[^\s@\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u;

export const isEmail = (value: string): boolean =>
  codePoints(value) <= maxLength.customer_email && emailShape.test(value);

const emailError = `must be a valid e-mail address of at most ${maxLength.customer_email} characters`;

/** Body of `POST /api/v1/tickets`. `null` counts as absent for the optional fields. */
export const newTicket = z.object({
  subject: text(maxLength.subject),
  description: text(maxLength.description),
  customer_email: z.string({ error: emailError }).refine(isEmail, { error: emailError }),
  customer_name: text(maxLength.customer_name)
    .nullish()
    .transform((name) => name ?? null),
  priority: z
    .enum(priorities, { error: `must be one of ${priorities.join(', ')}` })
    .nullish()
    .transform((priority) => priority ?? 'medium'),
});

/** Body of `POST /api/v1/tickets/{ticket_id}/messages`. */
export const newMessage = z.object({ body: text(maxLength.body) });
