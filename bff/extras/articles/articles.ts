import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/log/log.ts';
import type { ListedArticle } from '../../../shared/contract/articles.ts';
import { bounds } from './bounds.ts';
import { createEdition, type Edition, pinOf } from './edition.ts';
import { describeError } from './errors.ts';
import { fingerprintOf, listFiles, readBytes } from './folder.ts';
import { type ImageHashes, leftOut, readFolder, sha256, withWarnings } from './read-folder.ts';
import type { Votes } from './votes.ts';

/**
 * The operator's articles. They are read at the start, and again when a request finds that a file has changed.
 * @param deps.elapsed milliseconds
 * @param deps.waitMs how long a request waits for a change to be read
 * @throws when the folder cannot be read
 */
export async function openArticles(deps: {
  dir: string;
  votes: Pick<Votes, 'counts'>;
  log: Pick<Log, 'report'>;
  elapsed: () => number;
  waitMs?: number;
}) {
  const { dir, votes, log, elapsed, waitMs = bounds.waitMs } = deps;
  let imageHashes: ImageHashes = new Map();
  /** Warnings that were written, one for each state of a file. */
  let warned = new Set<string>();
  /** Undefined before the first reading: a folder may be empty. */
  let fingerprint: string | undefined;
  let edition: Edition;
  let scores = new Map<string, number>();
  let checkedAt = elapsed();
  let checking: Promise<void> | null = null;

  async function read(): Promise<void> {
    const files = await listFiles(dir);
    const found = fingerprintOf(files);
    if (found !== fingerprint) {
      const content = await readFolder(dir, imageHashes, files);
      ({ imageHashes } = content);
      const given = new Set<string>();
      // Where front matter is meant for another program, each file has some.
      const [noted, ...others] = withWarnings(content);
      if (noted) {
        const more = others.length > 0 ? ` (and in ${others.length} more files)` : '';
        const cause = `${describeError(noted.error)}${more}`;
        given.add(cause);
        if (!warned.has(cause)) log.report('front_matter_ignored', { file: noted.path, cause });
      }
      for (const { path, error } of leftOut(content)) {
        const cause = describeError(error);
        given.add(`${path} ${cause}`);
        if (!warned.has(`${path} ${cause}`)) log.report('article_left_out', { file: path, cause });
      }
      warned = given;
      if ([...content.articles.values()].every(({ size }) => size === 0)) log.report('articles_none');
      edition = createEdition(content);
      fingerprint = found;
    }
    scores = new Map(
      (await votes.counts()).map(({ article, helped, notHelped }) => [article, helped - notHelped]),
    );
  }

  async function checkForChanges(): Promise<void> {
    try {
      await read();
    } catch (err) {
      log.report('articles_not_read', { err });
    }
    checkedAt = elapsed();
    checking = null;
  }

  function checkIfDue(): Promise<void> | null {
    if (elapsed() - checkedAt >= bounds.checkEveryMs) checking ??= checkForChanges();
    return checking;
  }

  await read();

  return {
    /** The last edition that was read. Starts a check for changes, from which the next request benefits. */
    edition(): Edition {
      void checkIfDue();
      return edition;
    },

    /** The current edition. When reading a change takes long, the edition before it. */
    async freshEdition(): Promise<Edition> {
      const pending = checkIfDue();
      if (pending) await Promise.race([pending, sleep(waitMs, undefined, { ref: false })]);
      return edition;
    },

    /** The most useful articles of a language: the pinned ones first, then by votes, then by title. */
    top(tag: string): ListedArticle[] {
      const scoreOf = ({ id }: ListedArticle) => scores.get(id) ?? 0;
      // The list is already sorted by pins and titles, and the sort is stable.
      return (edition.list(tag) ?? [])
        .toSorted((a, b) => pinOf(a) - pinOf(b) || scoreOf(b) - scoreOf(a))
        .slice(0, bounds.top);
    },

    /** The bytes of an image of this edition. Null when it is missing or has changed since. */
    async imageBytes(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
      const image = edition.image(path);
      const bytes = image && (await readBytes(dir, image.path, bounds.imageBytes).catch(() => null));
      return bytes && sha256(bytes) === image.sha256 ? new Uint8Array(bytes) : null;
    },
  };
}

export type Articles = Awaited<ReturnType<typeof openArticles>>;
