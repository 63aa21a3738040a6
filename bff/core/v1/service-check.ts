import { logCodes } from '../log/codes.ts';
import type { Log } from '../log/log.ts';
import type { Store } from '../store/open.ts';
import type { V1Client } from './client.ts';
import { isTooLarge, type V1Failure } from './failure.ts';

/** Why the ticket service cannot be used. */
export type Problem = 'key' | 'address' | 'path' | 'outage';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function adviceOn(problem: Problem): string {
  const { says, fix } = logCodes[`service_problem_${problem}`];
  return `${capital(says)}. ${fix}`;
}

/** For the operator: the problem and the remedy. */
export const advice: Record<Problem, string> = {
  key: adviceOn('key'),
  address: adviceOn('address'),
  path: adviceOn('path'),
  outage: adviceOn('outage'),
};

/** The problem that a failed probe shows. Null when there is none. */
export function problemOf(failure: V1Failure): Problem | null {
  switch (failure.kind) {
    case 'unauthorized':
      return 'key';
    case 'refused':
      return failure.status === 403 ? 'key' : 'path';
    case 'not_connected':
      return 'address';
    case 'rate_limited':
      return null;
    case 'uncertain': {
      // An answer that is too large still proves that the service is reachable.
      if (isTooLarge(failure)) return null;
      if (failure.status === undefined) return 'address';
      return failure.status >= 500 || failure.status === 408 ? 'outage' : 'path';
    }
  }
}

export interface ServiceState {
  /**
   * Whether the service works, or has worked and is only away for now, so that sends wait for it. False before the
   * first check.
   */
  isUsable: boolean;
  problem: { cause: Problem; advice: string } | null;
}

const meanPauseMs = 60_000;

interface ServiceCheckOptions {
  v1: Pick<V1Client, 'probe' | 'isAuthorized'>;
  /** Remembers whether the service at `url` has ever answered correctly, across restarts and for all instances. */
  store: Store;
  url: string;
  now: () => number;
  log: Pick<Log, 'info' | 'report'>;
  onError: (error: unknown) => void;
}

/** Probes the service at the start and then about once a minute, and logs every change. Nothing waits for it. */
export function createServiceCheck({ v1, store, url, now, log, onError }: ServiceCheckOptions) {
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> | null = null;
  let isKnown = false;
  let isStopped = false;
  /** Undefined before the first answer. */
  let problem: Problem | null | undefined;

  async function recall(hasAnswered: boolean): Promise<void> {
    try {
      const known = store.selectFrom('services').select('url').where('url', '=', url);
      isKnown ||= (await known.executeTakeFirst()) !== undefined;
      if (hasAnswered && !isKnown)
        await store
          .insertInto('services')
          .values({ url, known_at: now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    } catch (error) {
      onError(error);
    }
    isKnown ||= hasAnswered;
  }

  async function probe(): Promise<void> {
    const result = await v1.probe();
    // The stop may have aborted the probe.
    if (isStopped) return;
    const found = result.ok ? null : problemOf(result.failure);
    if (!isKnown) await recall(result.ok);
    if (found !== null && found !== problem)
      log.report(`service_problem_${found}`, { cause: found, failure: result.ok ? null : result.failure });
    else if (found === null && problem) log.info('the ticket service can be used again', { cause: problem });
    else if (found === null && problem === undefined) log.info('the ticket service can be used');
    problem = found;
  }

  /** Probes now, unless a probe is running. */
  function ask(): Promise<void> {
    asking ??= probe().finally(() => (asking = null));
    return asking;
  }

  function askAndGoOn(): void {
    // Random, so that instances that were started together do not stay in step.
    timer = setTimeout(askAndGoOn, meanPauseMs * (0.8 + 0.4 * Math.random()));
    timer.unref();
    void ask();
  }

  return {
    start: askAndGoOn,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    ask,
    state(): ServiceState {
      // Customers' calls may have shown since whether the key works. A service that is away has not refused it.
      const cause = v1.isAuthorized() === false ? 'key' : problem;
      const isAway = cause === 'address' || cause === 'outage';
      return {
        isUsable: cause === null || (isAway && isKnown),
        problem: cause ? { cause, advice: advice[cause] } : null,
      };
    },
  };
}

export type ServiceCheck = ReturnType<typeof createServiceCheck>;
