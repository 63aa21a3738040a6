/** Largest sizes, in Unicode code points, as the ticket service counts them (v1 section 8). */
export const maxLength = {
  subject: 300,
  description: 20_000,
  customer_email: 255,
  customer_name: 120,
  body: 20_000,
  page_url: 2_000,
} as const;

/** Largest request body that the BFF reads, in bytes. */
export const maxBodyBytes = 128 * 1024;

/** Length in Unicode code points: an emoji counts once, a lone surrogate too. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
