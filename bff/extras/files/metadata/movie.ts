import { type Access, CannotErase } from './access.ts';
import { type Box, boxesIn, freeBox, neededBoxes, tableIn } from './boxes.ts';

/*
 * MP4, QuickTime and M4A: a movie with tracks. What is said about the movie and its tracks, the position among it, is
 * erased, and so are tracks that are neither picture nor sound: cameras record a position all the time in one, some as
 * subtitles.
 */

const neededInFile = new Set([...neededBoxes, 'wide']);
const neededInMovie = new Set(['mvhd', 'trak', 'iods', 'mvex', 'ctab', 'clip']);
const neededInTrack = new Set(['tkhd', 'tref', 'edts', 'mdia', 'load', 'tapt', 'matt', 'clip', 'trgr']);
const neededInFragment = new Set(['mfhd', 'traf']);
const neededInTrackFragment = new Set([
  'tfhd',
  'trun',
  'tfdt',
  'sdtp',
  'sbgp',
  'sgpd',
  'subs',
  'saiz',
  'saio',
  'senc',
]);
const neededTracks = new Set(['vide', 'soun', 'tmcd', 'hint', 'auxv', 'pict']);

/** Erases when a movie, a track or its media were made and changed. */
async function eraseTimes(file: Access, header: Box | undefined): Promise<void> {
  if (!header) return;
  const [version] = await file.read(header.body, 1);
  await file.blank(header.body + 4, Math.min(header.body + 4 + (version === 1 ? 16 : 8), header.end));
}

async function keepOnly(file: Access, boxes: readonly Box[], needed: ReadonlySet<string>): Promise<void> {
  for (const box of boxes) if (!needed.has(box.type)) await freeBox(file, box);
}

/** The box at the end of this path. */
async function find(file: Access, box: Box, ...path: string[]): Promise<Box | undefined> {
  let found: Box | undefined = box;
  for (const name of path)
    found = found && (await boxesIn(file, found.body, found.end)).find(({ type }) => type === name);
  return found;
}

const long = (table: Buffer, at: number): number => {
  if (at + 4 > table.length) throw new CannotErase();
  return table.readUInt32BE(at);
};

/** Erases what a track has recorded, wherever it is in the file. */
async function eraseSamples(file: Access, track: Box): Promise<void> {
  const samples = await find(file, track, 'mdia', 'minf', 'stbl');
  if (!samples) return;
  const tables = await boxesIn(file, samples.body, samples.end);
  const table = async (name: string) => {
    const box = tables.find(({ type }) => type === name);
    return box && (await tableIn(file, box));
  };
  const [runs, sizes, near, far] = [
    await table('stsc'),
    await table('stsz'),
    await table('stco'),
    await table('co64'),
  ];
  const chunks = near ?? far;
  if (!runs || !sizes || !chunks) throw new CannotErase();
  const [sameSize, sampleCount, chunkCount, runCount] = [
    long(sizes, 4),
    long(sizes, 8),
    long(chunks, 4),
    long(runs, 4),
  ];
  let [run, sample] = [0, 0];
  for (let chunk = 0; chunk < chunkCount && sample < sampleCount; chunk += 1) {
    while (run + 1 < runCount && long(runs, 8 + 12 * (run + 1)) <= chunk + 1) run += 1;
    const inChunk = Math.min(long(runs, 8 + 12 * run + 4), sampleCount - sample);
    let length = 0;
    if (sameSize > 0) length = sameSize * inChunk;
    else for (let n = 0; n < inChunk; n += 1) length += long(sizes, 12 + 4 * (sample + n));
    sample += inChunk;
    const at = near
      ? long(chunks, 8 + 4 * chunk)
      : long(chunks, 8 + 8 * chunk) * 2 ** 32 + long(chunks, 12 + 8 * chunk);
    await file.blank(at, at + length);
  }
}

async function eraseTrack(file: Access, track: Box, isFragmented: boolean): Promise<void> {
  const handler = await find(file, track, 'mdia', 'hdlr');
  const kind = handler && Buffer.from(await file.read(handler.body + 8, 4)).toString('latin1');
  if (kind === undefined || neededTracks.has(kind)) {
    await keepOnly(file, await boxesIn(file, track.body, track.end), neededInTrack);
    await eraseTimes(file, await find(file, track, 'tkhd'));
    await eraseTimes(file, await find(file, track, 'mdia', 'mdhd'));
    return;
  }
  // The samples of fragments are described elsewhere.
  if (isFragmented) throw new CannotErase();
  await eraseSamples(file, track);
  await freeBox(file, track);
}

export async function eraseMovie(file: Access): Promise<null> {
  for (const box of await boxesIn(file, 0, file.size)) {
    if (box.type === 'moov') {
      const parts = await boxesIn(file, box.body, box.end);
      // Compressed, as QuickTime wrote it twenty years ago.
      if (parts.some(({ type }) => type === 'cmov')) throw new CannotErase();
      const isFragmented = parts.some(({ type }) => type === 'mvex');
      for (const part of parts) if (part.type === 'trak') await eraseTrack(file, part, isFragmented);
      await keepOnly(file, parts, neededInMovie);
      await eraseTimes(
        file,
        parts.find(({ type }) => type === 'mvhd'),
      );
    }
    if (box.type === 'moof') {
      const parts = await boxesIn(file, box.body, box.end);
      await keepOnly(file, parts, neededInFragment);
      for (const part of parts)
        if (part.type === 'traf')
          await keepOnly(file, await boxesIn(file, part.body, part.end), neededInTrackFragment);
    }
  }
  return null;
}

/** A movie by itself: what it has beside the movie is erased, too. */
export async function eraseMovieFile(file: Access): Promise<null> {
  const top = await boxesIn(file, 0, file.size);
  for (const box of top) if (!neededInFile.has(box.type)) await freeBox(file, box);
  return eraseMovie(file);
}
