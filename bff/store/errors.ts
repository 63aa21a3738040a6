/** There is no answer from the database server: it is away, or the network is. */
export class UnreachableError extends Error {
  override name = 'UnreachableError' as const;
  readonly code = 'UNREACHABLE';

  constructor(cause: unknown) {
    super('the database server cannot be reached', { cause });
  }
}

export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

const sqlite = /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN)/;
/** Read-only, a transaction that was ended, no resources, a lock that was not free, ended by an operator, a broken disk. */
const postgres = /^(25006|40|53|55P03|57|58|XX)/;

/** The store is full, locked, broken or away: it recovers, or an operator must repair it. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof UnreachableError || sqlite.test(codeOf(error)) || postgres.test(codeOf(error));

/** A row like this is there already: another process was first. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505';
