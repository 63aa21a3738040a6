import { maxLength, maxSentDescription } from '../contract/limits.ts';

const maxChars: Record<string, number> = { ...maxLength, description: maxSentDescription };

/**
 * Whether a service that counts differently than in UTF-16 units could find one of these texts too long. No usual way
 * of counting gives more than the bytes of UTF-8.
 */
export const isPerhapsTooLong = (payload: object): boolean =>
  Object.entries(payload).some(
    ([name, text]) => typeof text === 'string' && Buffer.byteLength(text) > (maxChars[name] ?? Infinity),
  );
