import type { ErrorEnvelope } from '../../../shared/contract/errors.ts';
import type { Failed } from './result.ts';
import { failure } from './result.ts';

/** The failure for an answer outside 2xx, of the BFF or of a proxy in between. */
export async function readFailure(response: Response): Promise<Failed> {
  const body: unknown = await response.json().catch(() => null);
  const {
    code = null,
    retry_after = 0,
    fields = {},
    challenge,
  } = Object(Object(body).error) as Partial<ErrorEnvelope['error']>;
  return failure('http', {
    code,
    retryable:
      response.status >= 500 || [408, 428, 429].includes(response.status) || code === 'operation_in_progress',
    retryAfterSec: retry_after,
    fields,
    challenge,
  });
}
