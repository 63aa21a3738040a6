import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ArticleError } from './errors.ts';
import type { ParsedArticle } from './markdown.ts';

/*
 * Parses articles in a thread of its own, since Markdown can be written that takes its parser minutes, and a usual article of
 * the largest size takes longer than other requests should wait. It knows no files.
 */

/** What links and images of articles may name. */
export interface Names {
  articles: ReadonlySet<string>;
  images: ReadonlySet<string>;
}

export interface ReadArticle {
  article: ParsedArticle | null;
  errors: ArticleError[];
}

/** Ten times what an article of the largest size takes, since the machine may be busy. */
const maxMs = 20_000;
const maxHeapMb = 256;

/** The sources run as they are in tests, where a new thread would not know TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const file = new URL('./articles-thread.js', import.meta.url);

/** `end` must be called after the last article. */
export function createReader(names: Names) {
  let worker: Worker | null = null;

  async function start(): Promise<Worker> {
    const started = new Worker(file, {
      workerData: names,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    // Its first message says that it is ready.
    await once(started, 'message');
    // It may run out of memory while nothing waits for it.
    started.on('error', () => {});
    return started;
  }

  async function readInThread(text: string, path: string): Promise<ReadArticle | null> {
    worker ??= await start();
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), maxMs);
    try {
      const answer = once(worker, 'message', ended);
      worker.postMessage({ text, path });
      const [read] = (await answer) as [ReadArticle | null];
      return read;
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
