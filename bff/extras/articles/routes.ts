import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Counter } from 'prom-client';
import { z } from 'zod';
import { type ArticleVote, isArticleId, type CurrentArticles } from '../../../shared/contract/articles.ts';
import { AppError } from '../../core/errors.ts';
import { assetOf, type Asset, foreverCache, serve, compressed } from '../../core/http/files/assets.ts';
import { answer } from '../../core/http/answer.ts';
import type { AppEnv } from '../../core/http/context.ts';
import { setHeaders } from '../../core/http/headers.ts';
import { readBody } from '../../core/http/validate.ts';
import { invalid } from '../../core/text/fields.ts';
import type { PublicPort } from '../../core/part.ts';
import type { Core } from '../../core/wiring.ts';
import type { Articles } from './articles.ts';
import type { Edition } from './edition.ts';
import type { Votes } from './votes.ts';

const voteSchema: z.ZodType<ArticleVote> = z.object({ helped: z.boolean(invalid) });
const jsonType = 'application/json';
/** Short, because clients request the current hash after a 404 for an old one. */
const currentCache = 'public, max-age=10';
const maxVoteBytes = 1_024;
/** SECURITY: an image opened by itself must not act as a page: nothing in an SVG runs. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** The files of one edition, each made at its first request. */
function createFiles() {
  let hash = '';
  let made = new Map<string, Promise<Asset | null>>();
  return (edition: Edition, name: string, make: () => Promise<string | null>) => {
    if (edition.hash !== hash) {
      hash = edition.hash;
      made = new Map();
    }
    let file = made.get(name);
    if (!file) {
      file = make().then((content) => (content === null ? null : compressed(jsonType, content)));
      made.set(name, file);
      // Failed and missing files are not kept, so that nobody can fill the memory with names.
      const own = made;
      file.then(
        (asset) => asset ?? own.delete(name),
        () => own.delete(name),
      );
    }
    return file;
  };
}

const asJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

/**
 * The operator's articles. They are public: no cookie is read or set. The content under a hash never changes. An old
 * hash gets a 404, and `GET` of the base path answers the current one.
 */
export function articleRoutes(deps: {
  articles: Articles;
  votes: Votes;
  limits: Core['limits'];
  counted: Counter<'answer'>;
  guard: PublicPort['guard'];
}) {
  const { articles, votes, limits, counted, guard } = deps;
  const fileOf = createFiles();

  async function editionOf(c: Context<AppEnv>): Promise<Edition> {
    const edition = await articles.freshEdition();
    if (c.req.param('hash') !== edition.hash) throw new AppError('not_found');
    return edition;
  }
  const found = <T>(value: T | null | undefined): T => {
    if (value == null) throw new AppError('not_found');
    return value;
  };
  const refuseLarge = () => {
    throw new AppError('payload_too_large');
  };

  return new Hono<AppEnv>()
    .get('/', async (c) => {
      const { hash } = await articles.freshEdition();
      setHeaders(c, { 'Cache-Control': currentCache });
      return answer(c, { hash } satisfies CurrentArticles);
    })
    .get('/:hash/files/:path{.+}', async (c) => {
      const edition = await editionOf(c);
      const image = found(edition.image(c.req.param('path')));
      const bytes = found(await articles.imageBytes(image.path));
      const file = assetOf(image.type, new Map([['identity', bytes]]));
      return serve(c, file, foreverCache, { 'Content-Security-Policy': imagePolicy });
    })
    .get('/:hash/:language/:file', async (c) => {
      const edition = await editionOf(c);
      const id = /^(.+)\.json$/.exec(c.req.param('file'))?.[1] ?? '';
      const language = c.req.param('language');
      const file = await fileOf(edition, `article ${language} ${id}`, async () =>
        asJson(isArticleId(id) ? edition.article(language, id) : null),
      );
      return serve(c, found(file), foreverCache);
    })
    .get('/:hash/:file', async (c) => {
      const edition = await editionOf(c);
      const [, isSearch, language = ''] = /^(search\.)?([\w-]+)\.json$/.exec(c.req.param('file')) ?? [];
      const file = await (isSearch
        ? fileOf(edition, `search ${language}`, () => edition.search(language))
        : fileOf(edition, `list ${language}`, async () => asJson(edition.list(language))));
      return serve(c, found(file), foreverCache);
    })
    .post('/:id/votes', guard, bodyLimit({ maxSize: maxVoteBytes, onError: refuseLarge }), async (c) => {
      const { helped } = await readBody(c, voteSchema);
      const id = c.req.param('id');
      if (!(await articles.freshEdition()).has(id)) throw new AppError('not_found');
      await limits.take([{ policy: 'votes-ip', key: c.get('address') }]);
      await votes.add(id, helped);
      counted.inc({ answer: helped ? 'helped' : 'not_helped' });
      setHeaders(c, { 'Cache-Control': 'no-store' });
      return answer(c, null, { status: 201 });
    });
}
