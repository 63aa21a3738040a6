import { crc32 } from 'node:zlib';
import type { Access } from './access.ts';
import { onlyOrientation, orientationIn, type Pixels, turned } from './orientation.ts';

/* A PNG: chunks, each with its length, type and checksum. Chunks that are not needed to draw the picture are erased. */

const needed = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);
/** A type that no program knows, and that all may skip. */
const blankType = Buffer.from('dsKb', 'latin1');
const zeros = Buffer.alloc(65_536);

function crcOfZeros(type: Buffer, length: number): number {
  let crc = crc32(type);
  for (let left = length; left > 0; left -= zeros.length)
    crc = crc32(zeros.subarray(0, Math.min(left, zeros.length)), crc);
  return crc;
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export async function erasePng(file: Access): Promise<Pixels | null> {
  let pixels: Pixels | null = null;
  let orientation = 1;
  for (let at = 8; ;) {
    const head = Buffer.from(await file.read(at, 16));
    if (head.length < 12) {
      await file.cut(at);
      break;
    }
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    const body = at + 8;
    const end = Math.min(body + length, file.size);
    if (type === 'IHDR' && head.length === 16 && !pixels)
      pixels = { width: head.readUInt32BE(8), height: head.readUInt32BE(12) };
    if (!needed.has(type)) {
      const found =
        type === 'eXIf' ? orientationIn(Buffer.from(await file.read(body, Math.min(end - body, 65_536)))) : 1;
      const kept = onlyOrientation(found, Math.min(end - body, 65_536));
      await file.blank(body, end);
      if (kept && end - body === kept.length) {
        orientation = found;
        await file.write(body, kept);
        await file.write(end, uint32(crc32(kept, crc32(Buffer.from(type, 'latin1')))));
      } else {
        await file.write(at + 4, blankType);
        if (end + 4 <= file.size) await file.write(end, uint32(crcOfZeros(blankType, end - body)));
      }
    }
    at = end + 4;
    if (type === 'IEND') {
      await file.cut(at);
      break;
    }
  }
  return pixels && turned(pixels, orientation);
}
