import Database from 'better-sqlite3';

/**
 * Copies a consistent snapshot of a store, with what is in its log, into one file without a log. The copy is on the
 * disk when this resolves. The store may be in use.
 * @throws when the store cannot be read or the copy cannot be written; a part of the copy may be left then
 */
export async function writeSnapshot(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    await source.backup(to);
  } finally {
    source.close();
  }
  removeLog(to);
}

/**
 * Brings what is in the log of a store into its file, and removes the log.
 * @throws when that fails, such as on a full disk
 */
export function removeLog(file: string): void {
  const store = new Database(file);
  try {
    const mode = store.pragma('journal_mode = DELETE', { simple: true });
    if (mode !== 'delete') throw new Error(`${file} is in use`);
  } finally {
    store.close();
  }
}
