import { setImmediate } from 'node:timers/promises';

/* Works on many bytes in pieces, and gives others their turn between them: all at once would hold up the process. */

/** A piece is hashed, sealed, decoded or copied within a few milliseconds. */
export const pieceBytes = 256 * 1024;

export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    if (at > 0) await setImmediate();
    yield bytes.subarray(at, at + pieceBytes);
  }
}

/** The bytes one after the other, in memory of their own. */
export async function joined(parts: readonly Uint8Array[]): Promise<Buffer<ArrayBuffer>> {
  const all = Buffer.from(new ArrayBuffer(parts.reduce((sum, { length }) => sum + length, 0)));
  let at = 0;
  let turn = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
    turn += part.length;
    if (turn < pieceBytes) continue;
    turn = 0;
    await setImmediate();
  }
  return all;
}
