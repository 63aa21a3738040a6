import type { TestBff } from '../../../testing/bff.ts';
import type { createClusterPart } from '../extra.ts';

/** The extra of a running BFF on PostgreSQL. */
export const clusterOf = (bff: Pick<TestBff, 'extras'>) =>
  bff.extras.get('cluster') as ReturnType<typeof createClusterPart>;
