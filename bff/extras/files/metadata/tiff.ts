import { type Access, CannotErase } from './access.ts';

/*
 * A TIFF: directories of tags. Tags that are not needed to draw the picture are taken out, with what they point to: the
 * position, Exif, and what programs have written about the picture.
 */

const bytesOf = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const subDirectories = 330;
/** Directories of Exif, of the position, and of how programs may exchange the picture. */
const otherDirectories = new Set([34_665, 34_853, 40_965]);
const needed = new Set([
  254,
  255,
  256,
  257,
  258,
  259,
  262,
  263,
  264,
  265,
  266,
  273,
  274,
  277,
  278,
  279,
  280,
  281,
  282,
  283,
  284,
  290,
  291,
  292,
  293,
  296,
  297,
  301,
  317,
  318,
  319,
  320,
  321,
  322,
  323,
  324,
  325,
  subDirectories,
  332,
  333,
  334,
  336,
  338,
  339,
  340,
  341,
  342,
  347,
  512,
  513,
  514,
  515,
  517,
  518,
  519,
  520,
  521,
  529,
  530,
  531,
  532,
  559,
  34_675,
]);
const maxDirectories = 200;
const maxEntries = 1_000;

export async function eraseTiff(file: Access): Promise<null> {
  const header = Buffer.from(await file.read(0, 8));
  const isLittle = header.toString('latin1', 0, 2) === 'II';
  const short = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const long = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  // BigTIFF has other directories.
  if (header.length < 8 || short(header, 2) !== 42) throw new CannotErase();

  const seen = new Set<number>();
  /** Directories to be cleaned, or to be erased as a whole. */
  const waiting: { at: number; isErased: boolean }[] = [{ at: long(header, 4), isErased: false }];

  async function directoriesAt(entry: Buffer, isErased: boolean): Promise<void> {
    const count = Math.min(long(entry, 4), maxDirectories);
    const list = count === 1 ? entry.subarray(8) : Buffer.from(await file.read(long(entry, 8), 4 * count));
    for (let n = 0; n < count && 4 * n + 4 <= list.length; n += 1)
      waiting.push({ at: long(list, 4 * n), isErased });
  }

  async function eraseValue(entry: Buffer): Promise<void> {
    const length = (bytesOf[short(entry, 2)] ?? 1) * long(entry, 4);
    if (length > 4) await file.blank(long(entry, 8), long(entry, 8) + length);
  }

  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, isErased } = next;
    if (at === 0 || at >= file.size || seen.has(at)) continue;
    if (seen.size >= maxDirectories) throw new CannotErase();
    seen.add(at);
    const count = short(Buffer.concat([await file.read(at, 2), Buffer.alloc(2)]), 0);
    if (count > maxEntries) throw new CannotErase();
    const all = Buffer.from(await file.read(at + 2, 12 * count + 4));
    if (all.length < 12 * count) throw new CannotErase();
    const kept: Buffer[] = [];
    for (let n = 0; n < count; n += 1) {
      const entry = all.subarray(12 * n, 12 * n + 12);
      const tag = short(entry, 0);
      if (!isErased && needed.has(tag)) {
        kept.push(entry);
        if (tag === subDirectories) await directoriesAt(entry, false);
      } else {
        if (otherDirectories.has(tag)) await directoriesAt(entry, true);
        await eraseValue(entry);
      }
    }
    const following = all.subarray(12 * count);
    if (following.length === 4) waiting.push({ at: long(following, 0), isErased });
    if (kept.length === count) continue;
    const size = Buffer.alloc(2);
    if (isLittle) size.writeUInt16LE(kept.length);
    else size.writeUInt16BE(kept.length);
    const gap = Buffer.alloc(12 * (count - kept.length));
    await file.write(at, Buffer.concat([size, ...kept, following, gap]));
  }
  return null;
}
