import { createReadStream, appendFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { isEqual } from '../../is-equal.ts';
import type { Seal } from '../seal.ts';

/* Copies a store into one file, and signs the copy. */

/**
 * Copies a consistent snapshot of a store, with what is in its log, into one file without a log. The copy is on the
 * disk when this resolves. The store may be in use.
 * @throws when the store cannot be read or the copy cannot be written; a part of the copy may be left then
 */
export async function writeSnapshot(from: string, to: string): Promise<void> {
  const source = new Database(from, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    // One read transaction for all pages. Otherwise each write of another process begins the copy anew, and under steady
    // writes it never ends.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_master');
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

/*
 * A backup ends with a signature under the secret key. SQLite ignores what follows the last page. Whoever can write a
 * backup, but has no secret key, could otherwise give themselves other people's tickets.
 */

const mark = Buffer.from('deskside signed ');
const bytesOfSignature = 32;

/** The signature of the first `length` bytes. */
async function signatureOf(file: string, length: number, seal: Pick<Seal, 'hmac'>): Promise<Buffer> {
  const hmac = seal.hmac('backup');
  if (length > 0)
    for await (const chunk of createReadStream(file, { end: length - 1 })) hmac.update(chunk as Buffer);
  return hmac.digest();
}

/** Signs a file that nobody else can change yet. */
export async function sign(file: string, seal: Pick<Seal, 'hmac'>): Promise<void> {
  const signature = await signatureOf(file, statSync(file).size, seal);
  appendFileSync(file, Buffer.concat([mark, signature]), { flush: true });
}

/** Whether the file is as it was when it was signed under this secret key. */
export async function isSigned(file: string, seal: Pick<Seal, 'hmac'>): Promise<boolean> {
  const length = statSync(file).size - mark.length - bytesOfSignature;
  if (length <= 0) return false;
  const end: Buffer[] = [];
  for await (const chunk of createReadStream(file, { start: length })) end.push(chunk as Buffer);
  const signed = Buffer.concat([mark, await signatureOf(file, length, seal)]);
  return isEqual(Buffer.concat(end), signed);
}
