import { createLive } from '../live/live.ts';
import type { Readers } from '../live/readers.ts';
import type { IdentityModules } from './identity.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** Creates the module that updates open pages. */
export function createLiveModule({
  outside: { config, seal, v1, metrics, now, elapsed },
  identity: { sessions, subjects },
  ticketModules: { grants, threads, views },
  readers,
  share,
  onError,
}: {
  outside: Pick<Outside, 'config' | 'seal' | 'v1' | 'metrics' | 'now' | 'elapsed'>;
  identity: Pick<IdentityModules, 'sessions' | 'subjects'>;
  ticketModules: Pick<TicketModules, 'grants' | 'threads' | 'views'>;
  readers: Readers;
  /** This instance's fraction of all reads. */
  share: () => number;
  onError: OnError;
}) {
  const { watchActiveMs: activeMs, watchIdleMs: idleMs, readsPerSecond } = config;
  return createLive({
    grants,
    views,
    threads,
    v1,
    readers,
    sessions,
    subjects,
    seal,
    activeMs,
    idleMs,
    readsPerSecond: () => Math.max(1, Math.floor(readsPerSecond * share())),
    streamDurations: metrics.streamDurations,
    answerDelays: metrics.answerDelays,
    serviceNow: () => v1.serviceNow() ?? now(),
    elapsed,
    onError,
  });
}
