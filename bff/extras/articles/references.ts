import { posix } from 'node:path';
import { isArticleId } from '../../../shared/contract/articles.ts';

/** The schemes that links of an article may have. */
const schemes = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Image types by file extension. SVG files are served with a policy under which no script runs. */
const imageTypes = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.webp', 'image/webp'],
  ['.gif', 'image/gif'],
  ['.avif', 'image/avif'],
  ['.svg', 'image/svg+xml'],
]);

/** The type of an image by its file name. Undefined for any other file. */
export const imageTypeOf = (path: string): string | undefined =>
  imageTypes.get(posix.extname(path).toLowerCase());

/** Names as they are compared. Systems differ in the form in which they write an accented letter: macOS takes it apart. */
export const nameOf = (text: string): string => text.normalize('NFC');

/** Null where a text is not validly encoded. */
function decode(text: string): string | null {
  try {
    return nameOf(decodeURIComponent(text));
  } catch {
    return null;
  }
}

/**
 * The path below the folder that a reference in the file at `from` points to. Null when it is outside of the folder.
 */
function pathOf(reference: string, from: string): string | null {
  const plain = decode(reference.split(/[?#]/)[0]!);
  if (plain === null) return null;
  if (plain === '' || plain.startsWith('/') || /[\\\0]/.test(plain)) return null;
  const joined = posix.join(nameOf(posix.dirname(from)), plain);
  return joined.startsWith('..') ? null : joined;
}

/** What follows `#`, as ids of headings are written. Undefined where nothing does. */
function partOf(reference: string): string | undefined {
  const part = /#(.+)/.exec(reference)?.[1];
  return part && (decode(part) ?? nameOf(part)).toLowerCase();
}

/**
 * The target of a link in the file at `from`: a web address, or an article and the part of it. Null for all others.
 * SECURITY: the address is parsed as browsers do it, so that no spelling hides its scheme.
 */
export function readLink(
  reference: string,
  from: string,
): { url: string } | { id: string; part?: string } | null {
  if (URL.canParse(reference)) {
    const { protocol, href } = new URL(reference);
    return schemes.has(protocol) ? { url: href } : null;
  }
  const path = reference.startsWith('#') ? from : pathOf(reference, from);
  if (!path?.endsWith('.md')) return null;
  const id = posix.basename(path, '.md');
  const part = partOf(reference);
  return path.split('/').length === 2 && isArticleId(id) ? { id, ...(part && { part }) } : null;
}

/** The path of an image below the folder. Null when it cannot be in the folder. */
export function readImage(reference: string, from: string): string | null {
  if (URL.canParse(reference)) return null;
  const path = pathOf(reference, from);
  return path !== null && imageTypeOf(path) ? path : null;
}
