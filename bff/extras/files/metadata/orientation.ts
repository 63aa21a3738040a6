/* How a picture must be turned, as Exif has it: the one fact of Exif that is kept, since a picture is wrong without it. */

/** Pixels as a person sees them. */
export interface Pixels {
  width: number;
  height: number;
}

const tagOfOrientation = 0x0112;
const typeShort = 3;
const maxEntries = 1_000;

/** What Exif begins with where it is not alone. */
export const exifMark = Buffer.from('Exif\0\0', 'latin1');

/** From 1, upright, to 8. 1 for whatever cannot be read. `tiff`: Exif from its byte order on. */
export function orientationIn(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const isLittle = order === 'II';
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  if (tiff.length < 14) return 1;
  const start = long(4);
  if (start + 2 > tiff.length) return 1;
  const count = Math.min(short(start), maxEntries);
  for (let entry = start + 2; entry < start + 2 + 12 * count && entry + 12 <= tiff.length; entry += 12) {
    if (short(entry) !== tagOfOrientation || short(entry + 2) !== typeShort) continue;
    const value = short(entry + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

const onlyOrientationBytes = 26;

/** Exif of that length with nothing but the orientation, and zeros. Null where it has no room, or is not needed. */
export function onlyOrientation(orientation: number, length: number): Buffer | null {
  if (orientation === 1 || length < onlyOrientationBytes) return null;
  const tiff = Buffer.alloc(length);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(tagOfOrientation, 10);
  tiff.writeUInt16BE(typeShort, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

/** From 5 on, a picture lies on its side. */
export const turned = ({ width, height }: Pixels, orientation: number): Pixels =>
  orientation >= 5 ? { width: height, height: width } : { width, height };
