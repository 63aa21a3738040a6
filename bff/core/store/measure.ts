import type { LogEvent } from 'kysely';
import type { Counter, Histogram } from 'prom-client';

export interface StatementMetrics {
  statementDurations: Pick<Histogram<'statement'>, 'observe'>;
  statementErrors: Pick<Counter<'code'>, 'inc'>;
}

const kinds: Record<string, string> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
};

const kindOf = ({ query }: LogEvent['query']): string => kinds[query.kind] ?? 'other';

/** SQLite codes without their extension, such as in `SQLITE_BUSY_SNAPSHOT`. PostgreSQL codes as they are. */
const primaryCode = (error: unknown) =>
  /^(SQLITE_[A-Z]+|[0-9A-Z]{5}$)/.exec(String((error as { code?: unknown }).code))?.[0] ?? 'other';

/** Measures each statement that is logged. SECURITY: texts and parameters of statements are left out. */
export function measureStatements({ statementDurations, statementErrors }: StatementMetrics) {
  return (event: LogEvent): void => {
    statementDurations.observe({ statement: kindOf(event.query) }, event.queryDurationMillis / 1_000);
    if (event.level === 'error') statementErrors.inc({ code: primaryCode(event.error) });
  };
}
