import { type Access, CannotErase } from './access.ts';
import { type Box, boxesIn, freeBox, neededBoxes, reader, tableIn } from './boxes.ts';
import { eraseMovie } from './movie.ts';
import type { Pixels } from './orientation.ts';

/*
 * HEIC, HEIF and AVIF: items, of which a table says what they are and where. Items that are no part of the picture, Exif
 * and XMP among them, are erased. How the picture must be turned is a property of it, and stays.
 */

const neededInFile = new Set([...neededBoxes, 'meta']);
const pictureItems = new Set([
  'hvc1',
  'hev1',
  'lhv1',
  'av01',
  'avc1',
  'vvc1',
  'grid',
  'iovl',
  'iden',
  'tmap',
  'jpeg',
  'j2k1',
  'unci',
]);

/** Of all items together. Large pictures of cameras have hundreds. */
const maxExtents = 20_000;

/** The ids of the items that are no part of the picture. */
async function otherItems(file: Access, iinf: Box): Promise<Set<number>> {
  const head = await file.read(iinf.body, 8);
  if (head.length < 6) throw new CannotErase();
  const entries = await boxesIn(file, iinf.body + (head[0] === 0 ? 6 : 8), iinf.end);
  const ids = new Set<number>();
  for (const entry of entries) {
    const info = Buffer.from(await file.read(entry.body, Math.min(64, entry.end - entry.body)));
    const version = info[0] ?? 0;
    const fields = reader(info, 4);
    const id = fields.number(version === 3 ? 4 : 2);
    fields.number(2);
    // Older entries have no type, but that of a file.
    const type = version >= 2 ? info.toString('latin1', version === 3 ? 10 : 8, version === 3 ? 14 : 12) : '';
    if (!pictureItems.has(type)) ids.add(id);
  }
  return ids;
}

async function eraseItems(
  file: Access,
  iloc: Box,
  idat: Box | undefined,
  ids: ReadonlySet<number>,
): Promise<void> {
  const table = await tableIn(file, iloc);
  const version = table[0] ?? 0;
  const fields = reader(table, 4);
  const sizes = fields.number(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version > 0 ? sizes & 15 : 0;
  const count = fields.number(version < 2 ? 2 : 4);
  let extentsLeft = maxExtents;
  for (let item = 0; item < count; item += 1) {
    const id = fields.number(version < 2 ? 2 : 4);
    const method = version > 0 ? fields.number(2) & 15 : 0;
    fields.number(2);
    const base = fields.number(baseSize);
    const extents = fields.number(2);
    // They may take no bytes, so the size of the table does not limit them.
    extentsLeft -= extents;
    if (extentsLeft < 0) throw new CannotErase();
    for (let extent = 0; extent < extents; extent += 1) {
      fields.number(indexSize);
      const offset = base + fields.number(offsetSize);
      const length = fields.number(lengthSize);
      if (!ids.has(id)) continue;
      const from = method === 0 ? 0 : method === 1 ? idat?.body : undefined;
      if (from === undefined || length === 0) throw new CannotErase();
      await file.blank(from + offset, from + offset + length);
    }
  }
}

/** The pixels of the main item, as a person sees them. Null where they cannot be read. */
async function pixelsOf(file: Access, pitm: Box, iprp: Box): Promise<Pixels | null> {
  const main = await tableIn(file, pitm);
  const id = reader(main, 4).number(main[0] === 0 ? 2 : 4);
  const parts = await boxesIn(file, iprp.body, iprp.end);
  const ipco = parts.find(({ type }) => type === 'ipco');
  const ipma = parts.find(({ type }) => type === 'ipma');
  if (!ipco || !ipma) return null;
  const properties = await boxesIn(file, ipco.body, ipco.end);
  const table = await tableIn(file, ipma);
  const isWide = ((table[3] ?? 0) & 1) === 1;
  const fields = reader(table, 4);
  const count = fields.number(4);
  for (let item = 0; item < count; item += 1) {
    const isMain = fields.number((table[0] ?? 0) < 1 ? 2 : 4) === id;
    const associations = fields.number(1);
    let size: Pixels | null = null;
    let turns = 0;
    for (let n = 0; n < associations; n += 1) {
      const index = isWide ? fields.number(2) & 0x7fff : fields.number(1) & 0x7f;
      const property = isMain ? properties[index - 1] : undefined;
      if (!property) continue;
      const body = Buffer.from(await file.read(property.body, 12));
      if (property.type === 'ispe' && body.length === 12)
        size = { width: body.readUInt32BE(4), height: body.readUInt32BE(8) };
      if (property.type === 'irot') turns = (body[0] ?? 0) & 3;
    }
    if (isMain) return size && (turns % 2 === 1 ? { width: size.height, height: size.width } : size);
  }
  return null;
}

export async function eraseHeif(file: Access): Promise<Pixels | null> {
  const top = await boxesIn(file, 0, file.size);
  let pixels: Pixels | null = null;
  for (const box of top) {
    if (!neededInFile.has(box.type)) await freeBox(file, box);
    if (box.type !== 'meta') continue;
    const parts = await boxesIn(file, box.body + 4, box.end);
    const part = (name: string) => parts.find(({ type }) => type === name);
    const [iinf, iloc, pitm, iprp] = [part('iinf'), part('iloc'), part('pitm'), part('iprp')];
    for (const each of parts)
      if (each.type === 'uuid' || each.type === 'udta' || each.type === 'xml ') await freeBox(file, each);
    if (iinf) {
      const ids = await otherItems(file, iinf);
      if (ids.size > 0 && !iloc) throw new CannotErase();
      if (iloc) await eraseItems(file, iloc, part('idat'), ids);
    }
    if (pitm && iprp) pixels = await pixelsOf(file, pitm, iprp);
  }
  if (top.some(({ type }) => type === 'moov')) await eraseMovie(file);
  return pixels;
}
