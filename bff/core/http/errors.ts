import type { ErrorCode, ErrorEnvelope } from '../../../shared/contract/errors.ts';
import { AppError } from '../errors.ts';
import { isUnavailable } from '../store/errors.ts';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from './context.ts';

const sentences: Record<ErrorCode, string> = {
  invalid_request: 'The request is not valid.',
  unauthenticated: 'There is no session, or it has ended.',
  email_unverified: 'Too much went under this e-mail address today: verify it first.',
  forbidden_origin: 'This request must come from the support frame itself.',
  not_found: 'Not found.',
  conversation_merged: 'This conversation was merged into another one.',
  operation_in_progress: 'This message is being sent already.',
  payload_too_large: 'The request is too large.',
  unsupported_media_type: 'This type of content is not taken. Calls other than that of a file take JSON.',
  proof_required: 'Solve the challenge and ask again.',
  rate_limited: 'Too many requests.',
  internal: 'Something went wrong here.',
  upstream_unavailable: 'A service behind this one cannot be reached.',
  overloaded: 'Too busy at the moment.',
};

function codeOf(error: Error): ErrorCode {
  const code = String((error as NodeJS.ErrnoException).code);
  // The client disconnected, or was cut, while sending its body.
  if (code === 'ECONNRESET' && error.message === 'aborted') return 'invalid_request';
  return isUnavailable(error) ? 'overloaded' : 'internal';
}

/**
 * Answers any error in the common envelope: expected errors with their code, all others as `internal`. The request's
 * log line has the error too.
 */
export function answerError(error: Error, c: AppContext) {
  const expected = error instanceof AppError ? error : new AppError(codeOf(error), { cause: error });
  c.set('failure', expected);
  const { code, fields, retryAfterSec, challenge } = expected;
  const body: ErrorEnvelope = {
    error: {
      code,
      message: sentences[code],
      request_id: c.get('requestId'),
      ...(fields ? { fields } : {}),
      ...(retryAfterSec === undefined ? {} : { retry_after: retryAfterSec }),
      ...(challenge ? { challenge } : {}),
    },
  };
  return c.json(body, expected.status as ContentfulStatusCode, {
    // A missing resource may exist later, and may already exist on another instance.
    'Cache-Control': 'no-store',
    ...expected.headers,
    ...(retryAfterSec === undefined ? {} : { 'Retry-After': String(retryAfterSec) }),
  });
}
