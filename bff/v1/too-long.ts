/** The largest texts that v1 takes (section 8), in its "chars". */
const maxChars: Record<string, number> = {
  subject: 300,
  description: 20_000,
  customer_email: 255,
  customer_name: 120,
  body: 20_000,
};

/**
 * Whether a service that counts more strictly than in UTF-16 units would find one of these texts too long: no usual
 * way to count gives more than the bytes of UTF-8.
 */
export const isPerhapsTooLong = (payload: object): boolean =>
  Object.entries(payload).some(
    ([name, text]) => typeof text === 'string' && Buffer.byteLength(text) > (maxChars[name] ?? Infinity),
  );
