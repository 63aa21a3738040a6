import { paths } from '../../bff/contract/paths.ts';
import type { CannedAnswer } from './canned-bff.ts';

/** A failed answer, as the contract shapes it. */
export const refusal = (status: number, code: string, more: object = {}): CannedAnswer => ({
  status,
  body: { error: { code, message: 'for developers', request_id: '-', ...more } },
});

/** A BFF that answers no read of tickets and brings no stream. */
export const unreadable = (more: Record<string, CannedAnswer> = {}): Record<string, CannedAnswer> => ({
  [`GET ${paths.events}`]: refusal(503, 'overloaded'),
  [`GET ${paths.tickets}`]: refusal(503, 'overloaded'),
  ...more,
});
