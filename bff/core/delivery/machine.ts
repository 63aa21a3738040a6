import type { OperationState, RefusalCode } from '../../../shared/contract/tickets.ts';
import { backoffMs } from '../backoff.ts';
import type { OperationRow } from '../store/schema.ts';
import type { V1Failure } from '../v1/failure.ts';

/**
 * The life of one send, as pure transitions; `ledger.ts` makes them durable.
 *
 *     accepted ──begin──▶ sending ──found──────▶ done
 *        ▲                  │ ├──refused──────▶ rejected ◀──revoked── accepted
 *        └───not executed───┘ └──in doubt─────▶ unknown ──found──▶ done
 *        ▲                                        │
 *        └───shown absent, or sent again by hand──┘
 *
 * A store that was set back holds as `accepted` what the service may have already. So it is in doubt before it is sent:
 * accepted ──doubted──▶ unknown, without an attempt.
 *
 * The operator may reject a send that is accepted or unknown. Housekeeping rejects sends that are undecided for long.
 */
export type SendStatus = Pick<OperationRow, 'state' | 'attempts' | 'created_at' | 'attempt_age_ms'>;

/**
 * A complete, readable answer does not contain the send. `proves`: the read reaches back to before the attempt.
 * `ageMs`: the age of the attempt when the read began, as `attempt_age_ms`, since the process may have been suspended
 * afterwards. Infinity for a send that cannot have been sent.
 */
export interface Absent {
  type: 'absent';
  proves: boolean;
  ageMs: number;
}

export type SendEvent =
  | { type: 'begin' }
  | { type: 'failed'; failure: V1Failure }
  /** The answer was about another request, and a read does not show the send. */
  | { type: 'unrelated' }
  /** The process that was sending it has ended. */
  | { type: 'abandoned' }
  /** The answer confirms the send, or a read of the service shows it. */
  | { type: 'found' }
  /** A read of the service does not show it, or says nothing. */
  | Absent
  | { type: 'unreadable' }
  /** The store may have been set back to before the send. */
  | { type: 'doubted' }
  /** The customer asks to send it again. */
  | { type: 'retry' }
  /** Its sender has no grant for the ticket: the owner has claimed it, or the ticket was refused. */
  | { type: 'revoked' }
  /** The operator ends it, or the customer has not decided in time. `reason`: what the customer sees. */
  | { type: 'given_up'; reason: RefusalCode };

/** `due_at`: when to act next, a whole number. Null: only a decision or the end of a lease changes it. */
export type Transition = Pick<OperationRow, 'state' | 'due_at' | 'error'>;

export interface Timing {
  now: number;
  /** How long a send may take to appear in reads before its absence counts. */
  settleMs: number;
  /** 0 to 1, for jitter. */
  random: number;
}

const hourMs = 3_600_000;
const keepTryingMs = 72 * hourMs;
/** Short, so that everything is sent soon after the service is back. */
const longestPauseMs = 20_000;
/** How long after an attempt the service is first read for it. */
export const firstLookMs = 500;

/** The next state of a send; null when the event does not apply in this state. */
export function transition(from: SendStatus, event: SendEvent, timing: Timing): Transition | null {
  switch (from.state) {
    case 'accepted':
      if (event.type === 'begin') return { state: 'sending', due_at: null, error: null };
      if (event.type === 'revoked') return rejected('not_found');
      if (event.type === 'given_up') return rejected(event.reason);
      if (event.type === 'doubted') return at('unknown', timing.now);
      return event.type === 'retry' ? at('accepted', timing.now) : null;
    case 'sending':
      if (event.type === 'found') return at('done', null);
      if (event.type === 'abandoned') return at('unknown', timing.now);
      // The customer decides: a service that rewrites texts may have it under another text.
      if (event.type === 'unrelated') return at('unknown', null);
      return event.type === 'failed' ? afterFailure(from, event.failure, timing) : null;
    case 'unknown':
      if (event.type === 'found') return at('done', null);
      if (event.type === 'retry') return at('accepted', timing.now);
      if (event.type === 'given_up') return rejected(event.reason);
      return afterRead(from, event, timing);
    default:
      return null;
  }
}

const at = (state: OperationState, due_at: number | null): Transition => ({ state, due_at, error: null });
const rejected = (error: RefusalCode): Transition => ({ state: 'rejected', due_at: null, error });

function afterFailure(from: SendStatus, failure: V1Failure, timing: Timing): Transition {
  switch (failure.kind) {
    case 'not_connected':
    case 'unauthorized':
      return at('accepted', nextTry(from, timing, 1000));
    case 'rate_limited':
      return at('accepted', nextTry(from, timing, failure.retryAfterMs));
    case 'refused':
      return rejected(errorOf(failure.status));
    case 'uncertain':
      return at('unknown', timing.now + firstLookMs);
  }
}

/** Exponential backoff with jitter over half of the pause. Gives up after 72 hours. */
function nextTry(
  { attempts, created_at }: SendStatus,
  { now, random }: Timing,
  leastMs: number,
): number | null {
  if (now - created_at > keepTryingMs) return null;
  const pauseMs = Math.max(leastMs, backoffMs(attempts, 500, longestPauseMs));
  return now + Math.round(pauseMs * (1 + random / 2));
}

/**
 * Reads the service again after doubling pauses, until the settle time, when absence counts. While the service cannot
 * be read the pauses stay short, since nothing was learned.
 */
function afterRead(
  { attempt_age_ms: attemptAgeMs }: SendStatus,
  event: SendEvent,
  { now, settleMs }: Timing,
): Transition | null {
  const doublingMs = Math.max(attemptAgeMs, firstLookMs);
  if (event.type === 'unreadable')
    return at('unknown', attemptAgeMs > keepTryingMs ? null : now + Math.min(doublingMs, longestPauseMs));
  if (event.type !== 'absent') return null;
  const leftMs = Math.max(0, settleMs - attemptAgeMs);
  if (event.ageMs < settleMs) return at('unknown', now + Math.min(doublingMs, leftMs));
  return event.proves ? at('accepted', now) : at('unknown', null);
}

function errorOf(status: number): RefusalCode {
  if (status === 409) return 'conversation_merged';
  if (status === 413) return 'payload_too_large';
  return status === 404 ? 'not_found' : 'invalid_request';
}
