import type { FileHandle } from 'node:fs/promises';
import { type Access, accessTo, CannotErase } from './metadata/access.ts';
import { eraseGif } from './metadata/gif.ts';
import { eraseHeif } from './metadata/heif.ts';
import { eraseJpeg } from './metadata/jpeg.ts';
import { eraseMovieFile } from './metadata/movie.ts';
import type { Pixels } from './metadata/orientation.ts';
import { erasePng } from './metadata/png.ts';
import { eraseTiff } from './metadata/tiff.ts';
import { eraseWebp } from './metadata/webp.ts';

/*
 * Erases what pictures and videos say besides what one sees: where they were taken, with which device, by whom. It changes
 * the file in place, reads headers only, and decodes nothing. It does not look into documents and archives.
 */

const asItIs = async () => null;
const erasers: Record<string, (file: Access) => Promise<Pixels | null>> = {
  'image/jpeg': eraseJpeg,
  'image/png': erasePng,
  'image/apng': erasePng,
  'image/gif': eraseGif,
  'image/webp': eraseWebp,
  'image/avif': eraseHeif,
  'image/heic': eraseHeif,
  'image/heif': eraseHeif,
  'image/heic-sequence': eraseHeif,
  'image/heif-sequence': eraseHeif,
  'image/tiff': eraseTiff,
  // It has no place for it.
  'image/bmp': asItIs,
  // Text, which nobody's camera writes.
  'image/svg+xml': asItIs,
  'video/mp4': eraseMovieFile,
  'video/x-m4v': eraseMovieFile,
  'video/quicktime': eraseMovieFile,
  'video/3gpp': eraseMovieFile,
  'video/3gpp2': eraseMovieFile,
  'audio/mp4': eraseMovieFile,
  'audio/x-m4a': eraseMovieFile,
  // Browsers record it, without a position.
  'video/webm': asItIs,
};

const isOfCamera = /^(image|video)\//;

/** Whether nothing of a position can stay in a file of this type. Others are not taken, whatever the settings say. */
export const isErasable = (type: string): boolean => !isOfCamera.test(type) || Object.hasOwn(erasers, type);

interface Erased {
  /** Null where the type has none, or they cannot be read. */
  pixels: Pixels | null;
  /** The bytes are others than before. */
  isChanged: boolean;
  size: number;
}

/** @throws {CannotErase} when a position could stay, since the file is damaged or was made to mislead */
export async function erase(handle: FileHandle, type: string): Promise<Erased> {
  const file = await accessTo(handle);
  const pixels = (await erasers[type]?.(file)) ?? null;
  return { pixels, isChanged: file.isChanged, size: file.size };
}

export { CannotErase };
