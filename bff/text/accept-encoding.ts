import Negotiator from 'negotiator';

/** The codings in `available` that an `Accept-Encoding` header allows, in order of preference. */
export const acceptedCodings = (header: string | undefined, available: string[]): string[] =>
  new Negotiator({ headers: { 'accept-encoding': header } }).encodings(available);
