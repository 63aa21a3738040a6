import type { CannedAnswer } from './canned-bff.ts';

/** A failed answer, as the contract shapes it. */
export const refusal = (status: number, code: string, more: object = {}): CannedAnswer => ({
  status,
  body: { error: { code, message: 'for developers', request_id: '-', ...more } },
});
