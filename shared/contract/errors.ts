/** Every error code that the BFF answers with, and its HTTP status. */
export const errorStatus = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden_origin: 403,
  /** Too many tickets were opened today under this address, which the customer has not proven. */
  email_unverified: 403,
  not_found: 404,
  conversation_merged: 409,
  operation_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  proof_required: 428,
  rate_limited: 429,
  internal: 500,
  upstream_unavailable: 503,
  overloaded: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Why a field was refused. The app has the sentence for each. */
export type FieldFault = 'required' | 'too_long' | 'invalid';

/** The shape of every failed answer. */
export interface ErrorEnvelope {
  error: {
    code: ErrorCode;
    /** English, for developers. Customers read the app's own sentence for `code`. */
    message: string;
    request_id: string;
    fields?: Record<string, FieldFault>;
    /** Seconds until a retry can succeed. */
    retry_after?: number;
    /** With `proof_required`: an ALTCHA challenge, to be solved within five minutes and used once. */
    challenge?: unknown;
  };
}
