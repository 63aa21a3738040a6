import { explainConnection } from '../connection-errors.ts';
import { LoggableError } from '../errors.ts';

/* What an error of a database means, whichever database it is. */

/** The database server cannot be used: it does not answer, or refuses the connection. The message says why. */
export class UnreachableError extends LoggableError {
  readonly code = 'UNREACHABLE';

  constructor(cause: unknown) {
    super(
      ['the database server cannot be reached', explainConnection(cause)]
        .filter((text) => text !== null)
        .join(': '),
    );
    this.cause = cause;
  }
}

/** The code of a database error: SQLite's name or PostgreSQL's SQLSTATE. */
export const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

const sqlite = /^SQLITE_(FULL|BUSY|LOCKED|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN)/;
/**
 * Read-only, no access, no such database or table, no right, an ended transaction, no resources, not in a state for it or
 * locked, ended by an operator, a broken disk.
 */
const postgres = /^(25006|28|3D|40|42501|42P01|53|55|57|58|XX)/;

/** The store is full, locked, broken or away. It recovers, or an operator must repair it. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof UnreachableError || sqlite.test(codeOf(error)) || postgres.test(codeOf(error));

/** A row with this key exists already, because another process was first. On SQLite they write one after the other. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505';
