import { timingSafeEqual } from 'node:crypto';
import { createReadStream, appendFileSync, statSync } from 'node:fs';
import type { Seal } from '../seal.ts';

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
  const found = Buffer.concat(end);
  return found.length === signed.length && timingSafeEqual(found, signed);
}
