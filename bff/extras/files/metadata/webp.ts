import type { Access } from './access.ts';
import { exifMark, onlyOrientation, orientationIn, type Pixels, turned } from './orientation.ts';

/* A WebP: chunks of RIFF. Chunks that are not needed to draw the picture are erased. */

const needed = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const xmpFlag = 0x04;

function pixelsIn(type: string, body: Buffer): Pixels | null {
  if (type === 'VP8X' && body.length >= 10)
    return { width: 1 + body.readUIntLE(4, 3), height: 1 + body.readUIntLE(7, 3) };
  if (type === 'VP8 ' && body.length >= 10)
    return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
  if (type === 'VP8L' && body.length >= 5) {
    const bits = body.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  return null;
}

export async function eraseWebp(file: Access): Promise<Pixels | null> {
  const riff = await file.read(4, 4);
  if (riff.length === 4) await file.cut(8 + riff.readUInt32LE(0));
  let pixels: Pixels | null = null;
  let orientation = 1;
  for (let at = 12; at < file.size;) {
    const head = Buffer.from(await file.read(at, 18));
    if (head.length < 8) {
      await file.blank(at, file.size);
      break;
    }
    const type = head.toString('latin1', 0, 4);
    const body = at + 8;
    const end = Math.min(body + head.readUInt32LE(4), file.size);
    pixels ??= pixelsIn(type, head.subarray(8));
    if (type === 'VP8X' && head.length > 8) await file.write(body, Buffer.of(head[8]! & ~xmpFlag));
    if (!needed.has(type)) {
      const exif =
        type === 'EXIF' ? Buffer.from(await file.read(body, Math.min(end - body, 65_536))) : Buffer.alloc(0);
      const tiff = exif.subarray(exif.subarray(0, 6).equals(exifMark) ? 6 : 0);
      const found = orientationIn(tiff);
      const kept = onlyOrientation(found, exif.length);
      await file.blank(body, end);
      if (kept) {
        orientation = found;
        await file.write(body, kept);
      } else await file.write(at, Buffer.from('JUNK', 'latin1'));
    }
    // Chunks begin at even places.
    at = end + ((end - body) % 2);
  }
  return pixels && turned(pixels, orientation);
}
