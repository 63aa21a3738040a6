import { codePoints, maxLength } from '../contract/limits.ts';

/** One @ with something before it and a host behind it; the rest is for the service and the postman to say. */
export const isAddress = (text: string): boolean =>
  text.isWellFormed() &&
  codePoints(text) <= maxLength.customer_email &&
  !/[\p{Cc}\u2028\u2029]/u.test(text) &&
  /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
