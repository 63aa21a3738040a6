import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SearchedArticle } from '../../../shared/contract/article-search.ts';
import type { ArticleError } from './errors.ts';
import type { Names, ParsedArticle } from './markdown.ts';

/*
 * Parses articles and makes their search index in a thread of its own: Markdown can be written that takes its parser minutes, and
 * usual articles take longer than other requests should wait. It knows no files.
 */

/** What the thread is asked for. */
export type Work = { text: string; path: string } | { articles: readonly SearchedArticle[] };

export interface ReadArticle {
  article: ParsedArticle | null;
  errors: ArticleError[];
}

/** Ten times what an article of the largest size takes, since the machine may be busy. */
const maxMs = 20_000;
const maxHeapMb = 512;

/** The sources run as they are in tests, where a new thread would not know TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const file = new URL('./articles-thread.js', import.meta.url);

async function startThread(names: Names): Promise<Worker> {
  const worker = new Worker(file, {
    workerData: names,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  // Its first message says that it is ready.
  await once(worker, 'message');
  // It may run out of memory while nothing waits for it.
  worker.on('error', () => {});
  return worker;
}

async function ask(worker: Worker, work: Work, signal?: AbortSignal): Promise<unknown> {
  const answer = once(worker, 'message', { signal });
  worker.postMessage(work);
  return ((await answer) as unknown[])[0];
}

/** The search index for the app, as text. */
export async function makeIndex(articles: readonly SearchedArticle[]): Promise<string> {
  if (isSource) return (await import('./search-index.ts')).indexOf(articles);
  const worker = await startThread({ articles: new Set(), images: new Set() });
  try {
    return (await ask(worker, { articles })) as string;
  } finally {
    await worker.terminate();
  }
}

/** `end` must be called after the last article. */
export function createReader(names: Names) {
  let worker: Worker | null = null;

  async function readInThread(text: string, path: string): Promise<ReadArticle | null> {
    worker ??= await startThread(names);
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), maxMs);
    try {
      return (await ask(worker, { text, path }, ended.signal)) as ReadArticle | null;
    } catch {
      // Out of time, or of memory.
      await worker.terminate();
      worker = null;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  async function readHere(text: string, path: string): Promise<ReadArticle | null> {
    const { tryToParse } = await import('./markdown.ts');
    return tryToParse(text, path, names);
  }

  return {
    /** The article, or why it cannot be served. */
    async read(text: string, path: string): Promise<ReadArticle> {
      const read = await (isSource ? readHere : readInThread)(text, path);
      return read ?? { article: null, errors: [{ kind: 'too_complex', line: 1 }] };
    },

    async end(): Promise<void> {
      await worker?.terminate();
    },
  };
}
