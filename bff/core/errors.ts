import { type ErrorCode, errorStatus, type FieldFault } from '../../shared/contract/errors.ts';

/** An error with a message of our own that has no customer data. The log may show it. */
export class LoggableError extends Error {
  override name = 'LoggableError' as const;
}

/** An expected refusal. `http/errors.ts` turns it into the answer. */
export class AppError extends Error {
  override name = 'AppError' as const;
  readonly code: ErrorCode;
  readonly status: number;
  readonly fields: Record<string, FieldFault> | undefined;
  readonly retryAfterSec: number | undefined;
  /** With `proof_required`. */
  readonly challenge: object | undefined;
  /** Added to the answer. */
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    more: {
      cause?: unknown;
      status?: number;
      fields?: Record<string, FieldFault>;
      retryAfterSec?: number;
      challenge?: object;
      headers?: Record<string, string>;
    } = {},
  ) {
    super(code, { cause: more.cause });
    this.code = code;
    this.status = more.status ?? errorStatus[code];
    this.fields = more.fields;
    this.retryAfterSec = more.retryAfterSec;
    this.challenge = more.challenge;
    this.headers = more.headers ?? {};
  }
}
