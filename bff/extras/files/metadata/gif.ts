import { type Access, CannotErase } from './access.ts';
import type { Pixels } from './orientation.ts';

/* A GIF: blocks, whose data is in sub-blocks of up to 255 bytes. Comments, texts and XMP are erased. */

const needed = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);
const introducer = { image: 0x2c, extension: 0x21, end: 0x3b };
const label = { control: 0xf9, application: 0xff };

/** The bytes of a colour table that these flags announce. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** Where the sub-blocks that begin at `at` end: behind their empty one. */
async function endOfBlocks(file: Access, at: number): Promise<number> {
  for (let next = at; ;) {
    const [length] = await file.read(next, 1);
    if (length === undefined) return file.size;
    next += 1 + length;
    if (length === 0) return next;
  }
}

/** Writes sub-blocks of zeros up to `end`, where the empty one is. */
async function blankBlocks(file: Access, at: number, end: number): Promise<void> {
  for (let next = at; next < end;) {
    const left = end - next;
    // No single byte may be left over, since it would end the blocks.
    const length = left === 257 ? 254 : Math.min(255, left - 1);
    const block = Buffer.alloc(1 + length);
    block[0] = length;
    await file.write(next, block);
    next += block.length;
  }
}

export async function eraseGif(file: Access): Promise<Pixels | null> {
  const screen = Buffer.from(await file.read(0, 13));
  if (screen.length < 13) throw new CannotErase();
  const pixels = { width: screen.readUInt16LE(6), height: screen.readUInt16LE(8) };
  for (let at = 13 + tableBytes(screen[10]!); at < file.size;) {
    const head = Buffer.from(await file.read(at, 14));
    if (head[0] === introducer.end) {
      await file.cut(at + 1);
      break;
    }
    if (head[0] === introducer.image && head.length >= 10) {
      at = await endOfBlocks(file, at + 11 + tableBytes(head[9]!));
      continue;
    }
    if (head[0] !== introducer.extension || head.length < 3) {
      // Browsers show what came before it.
      await file.cut(at);
      break;
    }
    const end = await endOfBlocks(file, at + 2);
    const isNeeded =
      head[1] === label.control ||
      (head[1] === label.application && head[2] === 11 && needed.has(head.toString('latin1', 3, 14)));
    if (!isNeeded) {
      // As a comment of zeros.
      await file.write(at + 1, Buffer.of(0xfe));
      await blankBlocks(file, at + 2, Math.max(at + 2, end - 1));
    }
    at = end;
  }
  return pixels;
}
