/**
 * Maximum lengths (v1 section 8), in UTF-16 units, as `length` and HTML's `maxlength` count. v1 says "chars", and
 * UTF-16 units are the strictest usual reading. 400 of a description's 20,000 are reserved for the line that the BFF
 * appends.
 */
export const maxLength = {
  subject: 300,
  description: 19_600,
  customer_email: 255,
  customer_name: 120,
  body: 20_000,
  page_url: 2_000,
} as const;

/** Of the title of the page on which a ticket was written, in UTF-16 units. A longer one is cut. */
export const maxPageTitle = 120;

/** The longest description that v1 accepts, with the line of the BFF, in the same units. */
export const maxSentDescription = 20_000;

/** Largest request body that the BFF reads, in bytes. */
export const maxBodyBytes = 128 * 1024;

/** The maximum length of a language tag that RFC 5646 recommends to support. */
export const maxLanguageTag = 35;
