import { createLive } from '../live/live.ts';
import type { IdentityModules } from './identity.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** What keeps open pages up to date. */
export function createLiveModule({
  outside: { config, seal, elapsed },
  identity: { sessions, subjects },
  ticketModules: { grants, threads, views },
  onError,
}: {
  outside: Pick<Outside, 'config' | 'seal' | 'elapsed'>;
  identity: Pick<IdentityModules, 'sessions' | 'subjects'>;
  ticketModules: Pick<TicketModules, 'grants' | 'threads' | 'views'>;
  onError: OnError;
}) {
  const { watchActiveMs: activeMs, watchIdleMs: idleMs, readsPerSecond } = config;
  return createLive({
    grants,
    views,
    threads,
    sessions,
    subjects,
    seal,
    activeMs,
    idleMs,
    readsPerSecond,
    elapsed,
    onError,
  });
}
