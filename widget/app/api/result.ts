import type { ErrorCode, FieldFault } from '../../../bff/contract/errors.ts';

/** A failure that callers expect and handle; anything else is a bug and throws. */
export interface ApiFailure {
  /** `network` covers a time-out; `invalid_response`: somebody else than the BFF answered. */
  kind: 'network' | 'http' | 'invalid_response';
  /** The BFF's code; null when it did not answer, or something before it did. */
  code: ErrorCode | null;
  /** True when the same request, with the same key, can succeed later. */
  retryable: boolean;
  /** Seconds the server asked to wait. */
  retryAfterSec: number;
  fields: Record<string, FieldFault>;
  /** With `proof_required`: what is to be solved first. */
  challenge?: unknown;
}

export interface Failed {
  ok: false;
  error: ApiFailure;
}

export type Result<T> = { ok: true; value: T } | Failed;

export const failure = (kind: ApiFailure['kind'], more?: Partial<ApiFailure>): Failed => ({
  ok: false,
  error: { kind, code: null, retryable: true, retryAfterSec: 0, fields: {}, ...more },
});
