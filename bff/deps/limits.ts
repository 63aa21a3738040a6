import { openCounters } from '../limits/counters.ts';
import { createLimits } from '../limits/limits.ts';
import type { OnError, Outside } from './outside.ts';

/** Creates the rate limits. Instances on one PostgreSQL database count in it together. */
export const createLimitsModule = ({
  outside: { config, store, seal, metrics, limitsFile },
  onError,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'seal' | 'metrics' | 'limitsFile'>;
  onError: OnError;
}) =>
  createLimits({
    counterStore: openCounters(store, limitsFile),
    settings: config.limits,
    seal,
    refusals: metrics.limitRefusals,
    onError,
  });
