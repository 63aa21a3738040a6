import type { ErrorCode, ErrorEnvelope, FieldFault } from '../../../shared/contract/errors.ts';

/** A failure that callers expect and handle; anything else is a bug and throws. */
export interface ApiFailure {
  /** `network`: also a time-out; `invalid_response`: not an answer of the BFF, as from a captive portal. */
  kind: 'network' | 'http' | 'invalid_response';
  /** The BFF's code; null when it did not answer, or a proxy answered. */
  code: ErrorCode | null;
  /** True when the same request, with the same key, can succeed later. */
  retryable: boolean;
  /** Seconds the server asked to wait. */
  retryAfterSec: number;
  fields: Record<string, FieldFault>;
  /** With `proof_required`: the challenge to solve. */
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

/** No limit of the BFF lasts longer. */
const longestWaitSec = 86_400;

/** The failure for an answer outside 2xx, of the BFF or of a proxy in between, whose JSON can have the same names. */
export async function readFailure(response: Response): Promise<Failed> {
  const body: unknown = await response.json().catch(() => null);
  const {
    code = null,
    retry_after,
    fields,
    challenge,
  } = Object(Object(body).error) as Partial<ErrorEnvelope['error']>;
  return failure('http', {
    code,
    retryable:
      response.status >= 500 || [408, 428, 429].includes(response.status) || code === 'operation_in_progress',
    retryAfterSec: Math.min(Number(retry_after) || 0, longestWaitSec),
    fields: Object(fields) as ApiFailure['fields'],
    challenge,
  });
}
