/**
 * Why a call gave no result. Only `not_connected`, `unauthorized` and `rate_limited` prove that a write was not
 * executed, and `refused` that it never will be. After `uncertain` the service may have executed it.
 */
export type V1Failure =
  | { kind: 'not_connected'; reason?: string }
  | { kind: 'unauthorized' }
  | { kind: 'rate_limited'; retryAfterMs: number }
  | { kind: 'refused'; status: number }
  /** `status`: of an answer that is not one of a v1 service. */
  | { kind: 'uncertain'; reason: string; status?: number };

/** `serverTime`: the service's clock at its answer, in Unix milliseconds. Null while it is unknown. */
export type V1Result<T> =
  | { ok: true; data: T; serverTime: number | null }
  | { ok: false; failure: V1Failure; serverTime: number | null };

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const failedHandshake = /^(EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** Classifies an error that the HTTP client threw. */
export function failureOfError(error: unknown): V1Failure {
  const code = errorCode(error);
  if (neverConnected.has(code) || failedHandshake.test(code)) return { kind: 'not_connected', reason: code };
  return { kind: 'uncertain', reason: code };
}

/** The code of an error that the HTTP client threw, or its name. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // With several addresses, undici's error holds one cause for each. None of them could be connected.
  if (error instanceof AggregateError && error.errors[0]) return errorCode(error.errors[0]);
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? code : error.name;
}

/** The reason of a failure: its JSON is too much work. */
export const tooManyValues = 'too many values';

/** Whether the answer was larger than the maximum. */
export const isTooLarge = (failure: V1Failure): boolean =>
  failure.kind === 'uncertain' &&
  (failure.reason === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || failure.reason === tooManyValues);

const definitelyRefused = new Set([400, 403, 404, 409, 413, 415, 422]);
const maxRetryAfterMs = 60_000;

/**
 * Classifies an error status.
 * @param at Unix milliseconds; a `Retry-After` with a date is relative to it
 */
export function failureOfStatus(status: number, retryAfter: string, at: number): V1Failure {
  if (status === 401) return { kind: 'unauthorized' };
  if (status === 429)
    return { kind: 'rate_limited', retryAfterMs: Math.min(waitOf(retryAfter, at), maxRetryAfterMs) };
  if (definitelyRefused.has(status)) return { kind: 'refused', status };
  return { kind: 'uncertain', reason: `status ${status}`, status };
}

/** The milliseconds of a `Retry-After`: at least a second, which is also the default. `at` as above. */
export function waitOf(retryAfter: string, at: number): number {
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - at;
  return Number.isNaN(ms) ? 1000 : Math.max(ms, 1000);
}
