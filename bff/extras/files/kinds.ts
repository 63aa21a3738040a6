import type { FileHandle } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { maxShownPixels } from '../../../shared/contract/files.ts';
import { isErasable } from './metadata.ts';
import type { Pixels } from './metadata/orientation.ts';

/*
 * What a file is, by its content alone, and what is done with files of that type. The name decides only which text or
 * which old office file it is, and nothing rests on that.
 */

/** The endings of a type, the usual one first. */
const endings: Record<string, readonly string[]> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/apng': ['png', 'apng'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/heic': ['heic', 'heif', 'hif'],
  'image/heif': ['heif', 'heic', 'hif'],
  'image/heic-sequence': ['heics', 'heic'],
  'image/heif-sequence': ['heifs', 'heif'],
  'image/bmp': ['bmp'],
  'image/tiff': ['tif', 'tiff'],
  'image/svg+xml': ['svg'],
  'application/pdf': ['pdf'],
  'text/plain': [
    'txt',
    'text',
    'log',
    'ini',
    'conf',
    'cfg',
    'yaml',
    'yml',
    'toml',
    'tsv',
    'eml',
    'ics',
    'vcf',
    'srt',
    'css',
    'sql',
  ],
  'text/csv': ['csv'],
  'text/markdown': ['md', 'markdown'],
  'text/html': ['html', 'htm', 'xhtml'],
  'application/json': ['json', 'har'],
  'application/xml': ['xml', 'gpx', 'kml'],
  'application/rtf': ['rtf'],
  'application/msword': ['doc', 'dot'],
  'application/vnd.ms-excel': ['xls', 'xlt'],
  'application/vnd.ms-powerpoint': ['ppt', 'pps'],
  'application/vnd.ms-outlook': ['msg'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/zip': ['zip'],
  'application/x-7z-compressed': ['7z'],
  'application/gzip': ['gz', 'tgz'],
  'video/mp4': ['mp4', 'm4v'],
  'video/x-m4v': ['m4v', 'mp4'],
  'video/quicktime': ['mov', 'qt'],
  'video/webm': ['webm'],
  'video/3gpp': ['3gp', '3gpp'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a', 'mp4', 'm4b'],
  'audio/x-m4a': ['m4a'],
  'audio/wav': ['wav'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
};

/** What is taken unless the operator says otherwise. */
export const usualTypes: readonly string[] = Object.keys(endings);

const isPattern = /^[a-z]+\/(\*|[a-z0-9][a-z0-9.+-]*)$/;
/** Media types, or all of a kind: `image/*`. */
export const isTypePattern = (text: string): boolean => isPattern.test(text);

/** Whether files of this type are taken. `taken`: the operator's media types. */
export const isTaken = (type: string, taken: readonly string[]): boolean =>
  isErasable(type) && (taken.includes(type) || taken.includes(`${type.split('/')[0]}/*`));

/** Pictures that every browser draws, and no browser runs. */
const shownPictures = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
]);

/** The pixels of a file that is shown as a picture. Null for any other, and where drawing it could take all memory. */
export function shownPixels(type: string, pixels: Pixels | null): Pixels | null {
  if (!pixels || !shownPictures.has(type)) return null;
  const count = pixels.width * pixels.height;
  return count > 0 && count <= maxShownPixels ? pixels : null;
}

const pdf = 'application/pdf';

/** Whether the link to a file shows it, rather than to save it. */
export const isShown = (type: string, hasPixels: boolean): boolean =>
  type === pdf || (shownPictures.has(type) && hasPixels);

/**
 * The type that the link to a file names. Only what is shown, and what a player may ask for, has its own. All others are
 * bytes to save: SECURITY: no browser reads HTML or SVG in them.
 */
export const servedType = (type: string, hasPixels: boolean): string =>
  isShown(type, hasPixels) || /^(audio|video)\//.test(type) ? type : 'application/octet-stream';

/** The usual ending of a type, without its dot; empty for an unknown type. */
export const endingOf = (type: string): string => endings[type]?.[0] ?? '';
export const isEndingOf = (ending: string, type: string): boolean => endings[type]?.includes(ending) ?? false;

const typeOfEnding = (name: string, types: readonly string[]): string | undefined => {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return types.find((type) => isEndingOf(ending, type));
};

const oldOffice = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-outlook',
];
const texts = [
  'text/csv',
  'text/markdown',
  'application/json',
  'application/xml',
  'text/html',
  'image/svg+xml',
];
/** These have bytes that tell their type, and may have nothing but text. */
const readable = new Set([pdf, 'application/rtf']);

const chunkBytes = 65_536;
/** Tab, line breaks, form feed and escape: other control characters are in no text, whatever its encoding. */
const isOfText = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte >= 32 && byte !== 127) || [9, 10, 12, 13, 27].includes(byte) ? 1 : 0,
);

/** The beginning of a text, or null if it is none: neither UTF-16, which begins with a mark, nor free of control bytes. */
async function beginOfText(handle: FileHandle): Promise<string | null> {
  const buffer = Buffer.alloc(chunkBytes);
  let begin: string | null = null;
  for (let at = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, at);
    const chunk = buffer.subarray(0, bytesRead);
    if (at === 0 && bytesRead > 1) {
      const mark = chunk.readUInt16BE(0);
      if (mark === 0xfffe) return chunk.toString('utf16le', 2, 2_048 & ~1);
      if (mark === 0xfeff)
        return Buffer.from(chunk.subarray(2, 2 + ((bytesRead - 2) & 2_046)))
          .swap16()
          .toString('utf16le');
    }
    if (bytesRead === 0) return begin ?? '';
    for (const byte of chunk) if (isOfText[byte] === 0) return null;
    begin ??= chunk.toString('utf8', 0, 2_048);
    at += bytesRead;
  }
}

function typeOfText(begin: string, name: string): string {
  const bare = begin.replace(/^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*/, '').slice(0, 200);
  if (/^(<!doctype svg|<svg[\s>])/i.test(bare)) return 'image/svg+xml';
  if (/^(<!doctype html|<html[\s>]|<(head|body|script|iframe|meta|style)[\s>])/i.test(bare))
    return 'text/html';
  return typeOfEnding(name, texts) ?? 'text/plain';
}

/**
 * The media type of a file by its content. Null for an empty file, and for one that no known format and no text is.
 * @param path of the same file as `handle`
 */
export async function typeOf(path: string, handle: FileHandle, name: string): Promise<string | null> {
  if ((await handle.stat()).size === 0) return null;
  // What it reads of archives is limited: 1 MB of an entry at most is unpacked.
  const found = (await fileTypeFromFile(path).catch(() => undefined))?.mime.split(';', 1)[0];
  if (found !== undefined && readable.has(found)) return found;
  // A text may begin with the two letters that a format begins with.
  const begin = await beginOfText(handle);
  if (begin !== null) return typeOfText(begin, name);
  return found === 'application/x-cfb' ? (typeOfEnding(name, oldOffice) ?? found) : (found ?? null);
}
