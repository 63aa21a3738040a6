import { maxLength, maxSentDescription } from '../contract/limits.ts';

const maxChars: Record<string, number> = { ...maxLength, description: maxSentDescription };

/**
 * Whether a service that counts more strictly than in UTF-16 units would find one of these texts too long: no usual
 * way to count gives more than the bytes of UTF-8.
 */
export const isPerhapsTooLong = (payload: object): boolean =>
  Object.entries(payload).some(
    ([name, text]) => typeof text === 'string' && Buffer.byteLength(text) > (maxChars[name] ?? Infinity),
  );
