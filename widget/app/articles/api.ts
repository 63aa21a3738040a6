import { articlePaths } from '../../../shared/contract/article-paths.ts';
import type {
  Article,
  ArticleVote,
  CurrentArticles,
  ListedArticle,
} from '../../../shared/contract/articles.ts';
import { gateHeader } from '../../../shared/contract/paths.ts';
import { failure, readFailure, type Result } from '../api/result.ts';

const timeoutMs = 20_000;

/**
 * The requests for articles. They carry no cookie: articles are public, and votes are anonymous.
 * @param send the browser's fetch
 * @param hash under which the articles are served, as the document says
 */
export function createArticleApi(send: typeof fetch, hash: string, language: string) {
  let current = hash;

  async function request(path: string, init: RequestInit = {}): Promise<Result<Response>> {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await send(path, { credentials: 'omit', signal, ...init });
      return response.ok ? { ok: true, value: response } : await readFailure(response);
    } catch {
      return failure('network');
    }
  }

  async function text(pathOf: (hash: string) => string): Promise<Result<string>> {
    const result = await request(pathOf(current));
    if (result.ok) return { ok: true, value: await result.value.text() };
    return result;
  }

  /** Whether the articles are now served under another hash than `used`. That hash is used from then on. */
  async function isRenewed(used: string): Promise<boolean> {
    const result = await request(articlePaths.current, { cache: 'no-cache' });
    if (!result.ok) return false;
    const { data } = (await result.value.json()) as { data: CurrentArticles };
    current = data.hash;
    return current !== used;
  }

  async function read(pathOf: (hash: string) => string): Promise<Result<string>> {
    try {
      const used = current;
      const result = await text(pathOf);
      const isOld = !result.ok && result.error.code === 'not_found';
      return isOld && (await isRenewed(used)) ? await text(pathOf) : result;
    } catch {
      // The answer was cut, or is not an answer of the BFF.
      return failure('invalid_response');
    }
  }

  async function readJson<T>(pathOf: (hash: string) => string): Promise<Result<T>> {
    const result = await read(pathOf);
    if (!result.ok) return result;
    try {
      return { ok: true, value: JSON.parse(result.value) as T };
    } catch {
      return failure('invalid_response');
    }
  }

  return {
    list: () => readJson<ListedArticle[]>((at) => articlePaths.list(at, language)),
    /** The search index, as text. */
    index: () => read((at) => articlePaths.search(at, language)),
    article: (id: string) => readJson<Article>((at) => articlePaths.article(at, language, id)),
    fileUrl: (path: string) => `.${articlePaths.file(current, path)}`,
    /** No view waits for the vote, and none shows that it failed. */
    vote: (id: string, helped: boolean) =>
      request(articlePaths.votes(id), {
        method: 'POST',
        keepalive: true,
        headers: { [gateHeader]: '1', 'Content-Type': 'application/json' },
        body: JSON.stringify({ helped } satisfies ArticleVote),
      }),
  };
}

export type ArticleApi = ReturnType<typeof createArticleApi>;
