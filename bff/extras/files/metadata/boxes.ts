import { type Access, CannotErase } from './access.ts';

/* The boxes of the ISO base media file format, of which HEIC, AVIF, MP4 and QuickTime files consist. */

export interface Box {
  type: string;
  at: number;
  /** Where its content begins. */
  body: number;
  end: number;
}

const maxBoxes = 20_000;

/** What shows a picture or a movie, in every kind of these files. */
export const neededBoxes = ['ftyp', 'styp', 'mdat', 'moov', 'moof', 'mfra', 'sidx', 'ssix', 'prft', 'pdin'];

/** Reads the boxes between `at` and `end`. The last may be cut off, such as in a file that did not arrive whole. */
export async function boxesIn(file: Access, at: number, end: number): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let next = at; next + 8 <= end;) {
    const head = Buffer.from(await file.read(next, 16));
    if (head.length < 8) break;
    const type = head.toString('latin1', 4, 8);
    let size = head.readUInt32BE(0);
    let body = next + 8;
    if (size === 0) size = end - next;
    if (size === 1) {
      if (head.length < 16) break;
      size = Number(head.readBigUInt64BE(8));
      body = next + 16;
    }
    // What follows cannot be found.
    if (size < body - next || boxes.length >= maxBoxes) throw new CannotErase();
    boxes.push({ type, at: next, body, end: Math.min(next + size, end) });
    next += size;
  }
  return boxes;
}

/** Leaves a box of that size which all programs skip. */
export async function freeBox(file: Access, box: Box): Promise<void> {
  await file.write(box.at + 4, Buffer.from('free', 'latin1'));
  await file.blank(box.body, box.end);
}

const maxTableBytes = 4 * 1024 * 1024;

/** The content of a box that is a table. */
export async function tableIn(file: Access, { body, end }: Box): Promise<Buffer> {
  if (end - body > maxTableBytes) throw new CannotErase();
  return Buffer.from(await file.read(body, end - body));
}

/** Reads numbers one after the other. */
export function reader(bytes: Buffer, at = 0) {
  let next = at;
  return {
    /** Of 0, 1, 2, 4 or 8 bytes. */
    number(size: number): number {
      if (next + size > bytes.length) throw new CannotErase();
      let value = 0;
      for (let n = 0; n < size; n += 1) value = value * 256 + bytes[next + n]!;
      next += size;
      return value;
    },
    /** Up to the next zero. */
    text(): string {
      const end = bytes.indexOf(0, next);
      const found = bytes.toString('latin1', next, end < 0 ? bytes.length : end);
      next = end < 0 ? bytes.length : end + 1;
      return found;
    },
    isAtEnd: () => next >= bytes.length,
  };
}
