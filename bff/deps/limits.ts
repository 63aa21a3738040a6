import { counterTable, openCounterFile } from '../limits/counter-store.ts';
import { createLimits } from '../limits/limits.ts';
import { isPostgres } from '../store/dialect.ts';
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
    counterStore: isPostgres(store) ? counterTable(store) : openCounterFile(limitsFile),
    settings: config.limits,
    seal,
    refusals: metrics.limitRefusals,
    onError,
  });
