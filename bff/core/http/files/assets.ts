import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { isAssetName, paths, proofWorkerPath } from '../../../../shared/contract/paths.ts';
import { acceptedCodings, type AnswerHeaders } from '../headers.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { acceptedLanguages, createLanguageChoice } from '../language.ts';

/** Sources of the app's policy beside its own: of pictures, and of what its scripts request. */
export interface AddedSources {
  pictures: readonly string[];
  requests: readonly string[];
}

/** The bytes of a file by content coding; `identity` is always there. */
type Bodies = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

export interface Asset {
  type: string;
  etag: string;
  bodies: Bodies;
}

interface Manifest {
  version: string;
  languages: string[];
  csp: DocumentHashes;
  playground: Record<'playground' | 'sample', DocumentHashes>;
}

/** The CSP sources that admit a document's scripts and style. */
export interface DocumentHashes {
  script: string;
  style: string;
}

/** The built widget. `imports`: the scripts that other scripts import. Their names change with their content. */
export interface Assets {
  manifest: Manifest;
  files: Map<string, Asset>;
  imports: Map<string, Asset>;
}

export const types = { js: 'text/javascript; charset=utf-8', html: 'text/html; charset=utf-8' } as const;
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
  ['identity', ''],
] as const;
// A document refers to scripts of its own build, so it must not be cached for long.
export const shortCache = 'public, max-age=300, stale-while-revalidate=600';
// Some shared caches ignore `Vary`, and would give one visitor's language to all.
const ownCache = shortCache.replace('public', 'private');
export const foreverCache = 'public, max-age=31536000, immutable';

export function assetOf(type: string, bodies: Bodies): Asset {
  const etag = createHash('sha256').update(bodies.get('identity')!).digest('base64url').slice(0, 22);
  return { type, etag, bodies };
}

function readFolder(dir: string): Map<string, Asset> {
  const read = (name: string) => new Uint8Array(readFileSync(join(dir, name)));
  const names = new Set(readdirSync(dir));
  const assets = new Map<string, Asset>();
  for (const name of names) {
    const type = types[name.split('.').at(-1) as keyof typeof types];
    if (!type) continue;
    const present = codings.filter(([, ending]) => names.has(name + ending));
    const bodies = new Map(present.map(([coding, ending]) => [coding as string, read(name + ending)]));
    assets.set(name, assetOf(type, bodies));
  }
  return assets;
}

/** The built widget, read once into memory. */
export const loadAssets = (dir: string): Assets => ({
  manifest: JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')),
  files: readFolder(dir),
  imports: readFolder(join(dir, paths.assets)),
});

/**
 * Lets a page with a Cross-Origin-Embedder-Policy show a document in a frame. Which sites may show it is for its
 * `frame-ancestors` to say. `embedder`: what the document itself may load of other origins.
 */
export const framedAnywhere = (embedder: 'credentialless' | 'require-corp'): AnswerHeaders => ({
  'Cross-Origin-Embedder-Policy': embedder,
  'Cross-Origin-Resource-Policy': 'cross-origin',
});

/**
 * For scripts that run in host pages. These may be cross-origin isolated; modules and a tag that is pinned by a hash are
 * fetched by CORS.
 */
export const forPages: AnswerHeaders = {
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

/** Weak comparison, RFC 9110, section 13.1.2: a proxy that compresses makes our ETags weak. */
const isNamedBy = (ifNoneMatch: string, etag: string) =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) === true;

/** Answers a file, in the first of `codings` that the client takes. `headers` replace the usual ones of a file. */
export function serve(
  c: AppContext,
  asset: Asset,
  cacheControl: string,
  headers: AnswerHeaders = {},
): Response {
  const accepted = acceptedCodings(c.req.header('Accept-Encoding'), [...asset.bodies.keys()]);
  const coding = codings.map(([name]) => name).find((name) => accepted.includes(name)) ?? 'identity';
  const etag = `"${asset.etag}-${coding}"`;
  const given = { 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding', ...headers };
  if (isNamedBy(c.req.header('If-None-Match') ?? '', etag)) return c.body(null, 304, given);
  const ofBody: AnswerHeaders = { 'Content-Type': asset.type };
  const ofCoding: AnswerHeaders = coding === 'identity' ? {} : { 'Content-Encoding': coding };
  return c.body(asset.bodies.get(coding)!, 200, { ...given, ...ofBody, ...ofCoding });
}

/**
 * `/widget.js`, `/frame` and the full page at `/`, and the scripts that these import.
 * @param ancestors the origins whose pages may frame it
 * @param logo the operator's logo
 * @param own the source of a policy that admits what the BFF serves
 * @param sources what extras admit beside that
 * @param findKept gives a script that only another build has
 * @param documentOf gives the app's document of a language
 */
export function assetRoutes(
  { manifest, files, imports }: Assets,
  {
    ancestors: frameAncestors,
    logo,
    own,
    sources = [],
  }: {
    ancestors: readonly string[];
    logo: string | null;
    own: string;
    sources?: readonly AddedSources[];
  },
  findKept: (name: string) => Promise<Bodies | null>,
  documentOf: (tag: string) => Asset,
) {
  const bestLanguage = createLanguageChoice(manifest.languages);
  const pictureSources = new Set(frameAncestors.filter((origin) => origin !== "'self'"));
  if (logo?.startsWith('https:')) pictureSources.add(new URL(logo).origin);
  for (const { pictures } of sources) for (const source of pictures) pictureSources.add(source);
  const requested = sources.flatMap(({ requests }) => requests);
  const policy = (ancestors: string) =>
    [
      "default-src 'none'",
      // The app imports other scripts of ours. Nothing else on this origin is served as a script.
      `script-src ${manifest.csp.script} ${own}`,
      `style-src ${manifest.csp.style}`,
      ['connect-src', own, ...requested].join(' '),
      `worker-src ${own}`,
      // The images of articles, the operator's logo, the site's, which may be on any site that shows the widget, and
      // what extras show.
      `img-src ${own} data: ${[...pictureSources].join(' ')}`,
      "base-uri 'none'",
      "form-action 'none'",
      `frame-ancestors ${ancestors}`,
      "require-trusted-types-for 'script'",
      // The app has one policy, which allows the worker's path and nothing else.
      'trusted-types deskside',
    ].join('; ');
  const framePolicy = policy(frameAncestors.join(' '));
  const pagePolicy = policy("'none'");

  /** The worker runs under policies of its own, not under those of the frame. */
  const workerPolicies = {
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Embedder-Policy': 'require-corp',
  };
  const document = (c: AppContext, csp: string, more: AnswerHeaders = {}) => {
    const wishes = [c.req.query('lang') ?? '', ...acceptedLanguages(c.req.header('Accept-Language'))];
    return serve(c, documentOf(bestLanguage(wishes)), ownCache, {
      'Content-Security-Policy': csp,
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept-Language, Accept-Encoding',
      ...more,
    });
  };
  // `credentialless` admits a logo of any server. WebKit does not know it: there an isolated page, which the loader
  // tells by the query, would not show the frame.
  const frame = (c: AppContext) => {
    const { isolated = 'false' } = c.req.query();
    return document(c, framePolicy, framedAnywhere(isolated === 'false' ? 'credentialless' : 'require-corp'));
  };
  const forHosts = (c: AppContext, asset: Asset, cacheControl: string) =>
    serve(c, asset, cacheControl, forPages);
  // A page of another build may be open, in a cache, or served by another instance.
  async function findImport(name: string): Promise<Asset | null> {
    const kept = imports.has(name) || !isAssetName(name) ? null : await findKept(name);
    return imports.get(name) ?? (kept && assetOf(types.js, kept));
  }

  return new Hono<AppEnv>()
    .get('/widget.js', (c) => forHosts(c, files.get('widget.js')!, shortCache))
    .get(`/widget-${manifest.version}.js`, (c) => forHosts(c, files.get('pinned.js')!, foreverCache))
    .get(proofWorkerPath, (c) => serve(c, files.get(proofWorkerPath.slice(1))!, shortCache, workerPolicies))
    .get(`${paths.assets}/:name`, async (c, next) => {
      const asset = await findImport(c.req.param('name'));
      return asset ? forHosts(c, asset, foreverCache) : next();
    })
    .get('/frame', frame)
    .get('/', (c) => document(c, pagePolicy));
}

/** Quick, and a few per cent larger than what the build makes. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** A file that is made while the server runs, in every coding that browsers take. */
export function compressedNow(type: string, content: string): Asset {
  const identity = new Uint8Array(Buffer.from(content));
  const br = new Uint8Array(brotliCompressSync(identity, { params }));
  return codingsOf(type, identity, br, new Uint8Array(gzipSync(identity)));
}

/** The same without keeping other requests waiting. */
export async function compressed(type: string, content: string): Promise<Asset> {
  const identity = new Uint8Array(Buffer.from(content));
  const [br, gz] = await Promise.all([brotli(identity, { params }), gzipped(identity)]);
  return codingsOf(type, identity, new Uint8Array(br), new Uint8Array(gz));
}

const codingsOf = (
  type: string,
  identity: Uint8Array<ArrayBuffer>,
  br: Uint8Array<ArrayBuffer>,
  gz: Uint8Array<ArrayBuffer>,
) =>
  assetOf(
    type,
    new Map([
      ['identity', identity],
      ['br', br],
      ['gzip', gz],
    ]),
  );
