import { createHash } from 'node:crypto';
import { languages } from '../../../shared/i18n/languages.ts';
import { isArticleId } from '../../../shared/contract/articles.ts';
import { version } from '../../build.ts';
import { bounds } from './bounds.ts';
import { type ArticleError, type ArticleErrorKind, isFatal, isWarning } from './errors.ts';
import { type FoundFile, listFiles, readBytes } from './folder.ts';
import type { ParsedArticle } from './markdown.ts';
import { createReader, type ReadArticle } from './reader.ts';
import { imageTypeOf, nameOf } from './references.ts';

export interface Image {
  path: string;
  type: string;
  /** Hash of its content. If the file changes later, it is not served under the old hash. */
  sha256: string;
}

/** The content of a folder that can be served, and the errors in it. */
export interface FolderContent {
  /** Changes with everything that is served, and with the version of this server. */
  hash: string;
  /** By tag of the language, then by id. */
  articles: Map<string, Map<string, ParsedArticle>>;
  /** By path, as links name it. */
  images: Map<string, Image>;
  /** Passed to the next reading, which then needs to hash only new images. */
  imageHashes: ImageHashes;
  /** By path. */
  errors: Map<string, ArticleError[]>;
}

const tags = new Set(languages.map(({ tag }) => tag));
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

interface Named {
  file: FoundFile;
  tag: string;
  id: string;
}

/**
 * The article that the path of a file names, or the error in the path. Null for files that are not articles, such as a
 * `README.md`.
 */
function articleOf(file: FoundFile): Named | ArticleErrorKind | null {
  const segments = file.path.split('/');
  if (!file.path.endsWith('.md') || segments.length === 1) return null;
  if (segments.length > 2) return 'misplaced';
  const [tag, name] = segments as [string, string];
  const id = name.slice(0, -'.md'.length);
  if (!tags.has(tag)) return 'unknown_language';
  return isArticleId(id) ? { file, tag, id } : 'bad_id';
}

/** A strict decoder. By default, `TextDecoder` replaces invalid UTF-8 instead of failing. */
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Hashes of images by path, size and time, so that one changed file does not cause a read of all images. */
export type ImageHashes = ReadonlyMap<string, string>;

/**
 * Reads a folder of articles.
 * @throws when the folder cannot be read; a file that cannot be read is one of the `errors`
 */
export async function readFolder(
  dir: string,
  known: ImageHashes = new Map(),
  listed?: readonly FoundFile[],
): Promise<FolderContent> {
  const files = listed ?? (await listFiles(dir));
  const errors = new Map<string, ArticleError[]>();
  const report = (path: string, ...found: ArticleError[]) =>
    found.length > 0 && errors.set(path, [...(errors.get(path) ?? []), ...found]);
  const named: Named[] = [];
  for (const file of files) {
    const name = articleOf(file);
    if (typeof name === 'string') report(file.path, { kind: name, line: 1 });
    else if (name && named.length >= bounds.articles) report(file.path, { kind: 'too_many', line: 1 });
    else if (name) named.push(name);
  }
  const { images, imageHashes } = await readImages(dir, files, known, (path) =>
    report(path, { kind: 'too_large', line: 1 }),
  );
  const reader = createReader({
    articles: new Set(named.map(({ id }) => id)),
    images: new Set(images.keys()),
  });
  const articles: FolderContent['articles'] = new Map();
  const digest = createHash('sha256').update(version);
  try {
    for (const { file, tag, id } of named) {
      const { article, errors: found, bytes } = await readArticle(dir, file.path, reader);
      report(file.path, ...found);
      if (!article || !bytes) continue;
      articles.set(tag, (articles.get(tag) ?? new Map<string, ParsedArticle>()).set(id, article));
      digest.update(`\n${file.path} ${sha256(bytes)}`);
    }
  } finally {
    await reader.end();
  }
  for (const { file, tag, id } of named)
    for (const { id: target, part, line } of articles.get(tag)?.get(id)?.links ?? [])
      if (articles.get(tag)?.get(target)?.parts.has(part) === false)
        report(file.path, { kind: 'missing_part', line, detail: `#${part}` });
  for (const image of images.values()) digest.update(`\n${image.path} ${image.sha256}`);
  return { hash: digest.digest('base64url').slice(0, 16), articles, images, imageHashes, errors };
}

async function readArticle(
  dir: string,
  path: string,
  reader: ReturnType<typeof createReader>,
): Promise<ReadArticle & { bytes?: Uint8Array }> {
  const failed = (kind: ArticleErrorKind) => ({ article: null, errors: [{ kind, line: 1 }] });
  let bytes: Uint8Array | null;
  let text: string;
  try {
    bytes = await readBytes(dir, path, bounds.articleBytes);
    if (!bytes) return failed('too_large');
    text = decode(bytes);
  } catch {
    return failed('unreadable');
  }
  return { ...(await reader.read(text, path)), bytes };
}

async function readImages(
  dir: string,
  files: readonly FoundFile[],
  known: ImageHashes,
  onTooLarge: (path: string) => void,
) {
  const images = new Map<string, Image>();
  const imageHashes = new Map<string, string>();
  for (const { path, bytes, modifiedMs } of files) {
    const type = imageTypeOf(path);
    if (!type) continue;
    const key = `${path} ${bytes} ${modifiedMs}`;
    const hash = known.get(key) ?? (await hashOf(dir, path));
    if (hash === null) {
      onTooLarge(path);
      continue;
    }
    imageHashes.set(key, hash);
    images.set(nameOf(path), { path, type, sha256: hash });
  }
  return { images, imageHashes };
}

async function hashOf(dir: string, path: string): Promise<string | null> {
  const bytes = await readBytes(dir, path, bounds.imageBytes).catch(() => null);
  return bytes && sha256(bytes);
}

/** The files with front matter of which a part is not read, each with the warning. */
export const withWarnings = ({ errors }: FolderContent): { path: string; error: ArticleError }[] =>
  [...errors].flatMap(([path, found]) => found.filter(isWarning).map((error) => ({ path, error })));

/** The files that are not served at all, each with its first fatal error. */
export const leftOut = ({ errors }: FolderContent): { path: string; error: ArticleError }[] =>
  [...errors].flatMap(([path, found]) => {
    const error = found.find(isFatal);
    return error ? [{ path, error }] : [];
  });
