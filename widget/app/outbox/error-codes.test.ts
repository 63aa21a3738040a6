import { expect, it } from 'vitest';
import { type ErrorCode, errorStatus } from '../../../shared/contract/errors.ts';
import { readFailure } from '../api/result.ts';
import { endings } from './sends.ts';

/** What the browser does with a send that is refused with this code. */
const reactions: Record<ErrorCode, 'tries again' | 'ends the conversation' | 'asks the customer'> = {
  invalid_request: 'asks the customer',
  unauthenticated: 'ends the conversation',
  forbidden_origin: 'asks the customer',
  email_unverified: 'asks the customer',
  not_found: 'ends the conversation',
  conversation_merged: 'ends the conversation',
  operation_in_progress: 'tries again',
  payload_too_large: 'asks the customer',
  unsupported_media_type: 'asks the customer',
  proof_required: 'tries again',
  rate_limited: 'tries again',
  internal: 'tries again',
  upstream_unavailable: 'tries again',
  overloaded: 'tries again',
};

it.each(Object.entries(reactions) as [ErrorCode, string][])(
  'after a refusal with %s, the browser %s',
  async (code, reaction) => {
    const answer = new Response(JSON.stringify({ error: { code } }), { status: errorStatus[code] });
    const { error } = await readFailure(answer);
    expect({ isRetried: error.retryable, isEnding: endings.has(code) }).toEqual({
      isRetried: reaction === 'tries again',
      isEnding: reaction === 'ends the conversation',
    });
  },
);
