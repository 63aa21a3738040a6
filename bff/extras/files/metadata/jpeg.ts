import { type Access, CannotErase } from './access.ts';
import { exifMark, onlyOrientation, orientationIn, type Pixels, turned } from './orientation.ts';

/*
 * A JPEG: segments, each with a marker, and the compressed picture between them. Of the segments that say something about
 * the picture only what is needed to draw it is kept. What follows the end of the picture is cut: cameras put further
 * pictures, sound and videos there, which have a position of their own.
 */

const marker = {
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  app0: 0xe0,
  app1: 0xe1,
  app2: 0xe2,
  app14: 0xee,
  app15: 0xef,
  com: 0xfe,
};

const isLone = (code: number) => code === 0x01 || (code >= 0xd0 && code <= 0xd8);
/** Starts of frame, which have the size. */
const isFrame = (code: number) =>
  code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
const isAbout = (code: number) => (code >= marker.app0 && code <= marker.app15) || code === marker.com;

/** Whether the segment is needed to draw the picture: density, colours. */
function isNeeded(code: number, start: Buffer): boolean {
  const begins = (name: string) => start.toString('latin1', 0, name.length) === name;
  return (
    (code === marker.app0 && begins('JFIF\0')) ||
    (code === marker.app2 && begins('ICC_PROFILE\0')) ||
    (code === marker.app14 && begins('Adobe'))
  );
}

const chunkBytes = 4_096;
/** Far more than any camera or program writes. */
const maxMarkers = 20_000;

/** Where the next marker begins at or after `at`. In compressed data, 0xFF is followed by 0, or by a restart. */
async function nextMarker(file: Access, at: number): Promise<number | null> {
  for (let from = at; from + 1 < file.size;) {
    const chunk = await file.read(from, chunkBytes);
    for (let found = chunk.indexOf(0xff); found >= 0; found = chunk.indexOf(0xff, found + 1)) {
      if (found + 1 >= chunk.length) break;
      const code = chunk[found + 1]!;
      if (code !== 0 && code !== 0xff && !(code >= 0xd0 && code <= 0xd7)) return from + found;
    }
    // The last byte may be the first of a marker.
    from += Math.max(1, chunk.length - 1);
  }
  return null;
}

export async function eraseJpeg(file: Access): Promise<Pixels | null> {
  let orientation = 1;
  let pixels: Pixels | null = null;
  let markers = 0;
  for (let at: number | null = 2; at !== null;) {
    const begin = await nextMarker(file, at);
    if (begin === null) break;
    markers += 1;
    if (markers > maxMarkers) throw new CannotErase();
    const head = Buffer.from(await file.read(begin, 20));
    const code = head[1]!;
    if (code === marker.eoi) {
      await file.cut(begin + 2);
      break;
    }
    if (isLone(code)) {
      at = begin + 2;
      continue;
    }
    if (head.length < 4) {
      await file.cut(begin);
      break;
    }
    const end = Math.min(begin + 2 + Math.max(2, head.readUInt16BE(2)), file.size);
    const body = begin + 4;
    if (isFrame(code) && head.length >= 9 && !pixels)
      pixels = { height: head.readUInt16BE(5), width: head.readUInt16BE(7) };
    if (isAbout(code) && !isNeeded(code, head.subarray(4))) {
      let kept: Buffer | null = null;
      if (code === marker.app1 && head.subarray(4, 10).equals(exifMark)) {
        const tiff = body + exifMark.length;
        const found = orientationIn(await file.read(tiff, end - tiff));
        if (orientation === 1) {
          orientation = found;
          kept = onlyOrientation(found, end - tiff);
        }
        if (kept) await file.write(tiff, kept);
      }
      if (!kept) await file.blank(body, end);
    }
    at = end;
  }
  return pixels && turned(pixels, orientation);
}
