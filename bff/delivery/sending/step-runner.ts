import { setTimeout as sleep } from 'node:timers/promises';
import { failpoint } from '../../failpoint.ts';
import type { OperationRow } from '../../store/schema.ts';
import { isLeasedHere, type LeasedOperation } from '../ledger/attempts.ts';
import type { Operations } from '../../tickets/operations.ts';
import type { Span, Tracer } from '../../tracing/tracer.ts';
import type { Breaker } from '../../v1/breaker.ts';
import { firstPauseMs, nextPauseMs, type Postponed } from './postponed.ts';
import type { Sender, Step } from './send.ts';

interface StepRunnerDeps {
  sender: Sender;
  operations: Pick<Operations, 'byId'>;
  breaker: Pick<Breaker, 'report'>;
  postponed: Pick<Postponed, 'add' | 'delete'>;
  tracer: Tracer;
  /** Called with the row that was recorded. */
  onRecorded: (row: OperationRow) => void;
  /** Called with the current row after each failure to record its outcome. */
  onUnrecorded: (row: OperationRow) => void;
  /** Called with the row of an operation that may not begin yet, since another send must go first. */
  onHeldUp: (row: OperationRow) => Promise<void>;
  onError: (error: unknown) => void;
}

/** Makes the next step of one operation, sending or settling it, and records the outcome. */
export function createStepRunner(deps: StepRunnerDeps) {
  const { sender, operations, breaker, postponed, tracer, onRecorded, onUnrecorded, onHeldUp, onError } =
    deps;
  /** Ends the pauses between the attempts to record an outcome. */
  let stopping = new AbortController();

  /**
   * Records an outcome, and retries while the store fails: the answer of the service must not be lost. After a failure
   * the row is read: the store may have recorded the outcome though its answer was lost.
   * @returns the new state; null when another process has changed the operation, or this one stops first
   */
  async function record({ row, record: write }: Step): Promise<OperationRow['state'] | null> {
    let hasFailed = false;
    for (let pauseMs = firstPauseMs; ; pauseMs = nextPauseMs(pauseMs)) {
      try {
        const next = (await write()) ?? (hasFailed ? await operations.byId(row.id) : null);
        failpoint(row.state === 'unknown' ? 'settled' : 'recorded');
        if (next) onRecorded(next);
        return next?.state ?? null;
      } catch (error) {
        hasFailed = true;
        onError(error);
        onUnrecorded(row);
        if (stopping.signal.aborted) return null;
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  function make(row: OperationRow | LeasedOperation): Promise<Step | null> {
    if (isLeasedHere(row)) return sender.sendLeased(row);
    return row.state === 'accepted' ? sender.send(row) : sender.settle(row);
  }

  async function runIn(span: Span, row: OperationRow | LeasedOperation): Promise<void> {
    try {
      const step = await make(row);
      postponed.delete(row.id);
      if (!step) return;
      if (step.isAnswered !== null) breaker.report(step.isAnswered);
      const state = await record(step);
      if (state === null && step.isAnswered === null) await onHeldUp(row);
      span.describe({ attributes: { 'deskside.outcome': state ?? 'not_recorded' } });
    } catch (error) {
      span.describe({ failure: 'exception' });
      onError(error);
      postponed.add(row.id);
    }
  }

  return {
    /** Never rejects: an operation that fails here is postponed. */
    run: (row: OperationRow | LeasedOperation): Promise<void> =>
      tracer.span(
        {
          name: row.state === 'unknown' ? 'delivery settle' : 'delivery send',
          kind: 'internal',
          attributes: {
            'deskside.operation.kind': row.kind,
            // The attempts before this one.
            'deskside.operation.attempts': isLeasedHere(row) ? row.attempts - 1 : row.attempts,
          },
          origin: row.id,
        },
        (span) => runIn(span, row),
      ),

    start(): void {
      stopping = new AbortController();
    },

    /** Outcomes that the store does not accept are not tried again. */
    stop: (): void => stopping.abort(),
  };
}
