import type { Readable } from 'node:stream';

/* Where the bytes of files are kept, by id. It knows neither customers nor names, and no row of the database. */

/** The first and the last byte, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

export interface FileStore {
  /** Where the bytes are, for the operator. */
  location: string;
  /**
   * Keeps the file at `path`, which is gone then, or is no longer needed. It is on the disk when this resolves.
   * @throws {StoreAway}
   */
  put(id: string, path: string, facts: { size: number; sha256: string }): Promise<void>;
  /**
   * Null if there is none, or if the store does not say.
   * @throws {StoreAway}
   */
  open(id: string, range?: ByteRange): Promise<Readable | null>;
  /**
   * Removes it, if there is one.
   * @throws {StoreAway}
   */
  remove(id: string): Promise<void>;
  /** The ids of all that is kept. Undefined where they cannot be listed. */
  list?(): AsyncIterable<string>;
  /** Writes, reads and removes something. Resolves to what is wrong, in one sentence, or to null. */
  check(): Promise<string | null>;
}

/** The store of files is full, away or broken. It recovers, or an operator must repair it. */
export class StoreAway extends Error {
  override name = 'StoreAway' as const;
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super(`the store of files cannot be used (${code})`, { cause });
    this.code = code;
  }
}

const isId = /^[\w-]{1,64}$/;

/** SECURITY: an id becomes a path. */
export function checkedId(id: string): string {
  if (!isId.test(id)) throw new Error('no id of a file');
  return id;
}
