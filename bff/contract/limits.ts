/**
 * Largest sizes (v1 section 8), in UTF-16 units, as `length` and HTML's `maxlength` count: v1 says "chars", and no usual
 * way to count gives more. 400 of a description's 20,000 are for the line that the BFF ends it with.
 */
export const maxLength = {
  subject: 300,
  description: 19_600,
  customer_email: 255,
  customer_name: 120,
  body: 20_000,
  page_url: 2_000,
} as const;

/** What v1 takes as a description, with the BFF's line, in the same units. */
export const maxSentDescription = 20_000;

/** Largest request body that the BFF reads, in bytes. */
export const maxBodyBytes = 128 * 1024;

/** What RFC 5646 wants every tag of a language to fit into. */
export const maxLanguageTag = 35;
