import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};

/** As a build does it ahead of time. */
const compress = (body: Buffer) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: body.length > 300_000 ? 9 : 11 } });

/**
 * Serves files by their paths, compressed with brotli, as a content delivery network would; answers an empty success to
 * every other request, from any origin. `cacheControl` says how long a browser keeps the file of a path.
 */
export async function startAssetServer(
  files: ReadonlyMap<string, Buffer>,
  cacheControl: (path: string) => string,
) {
  const compressed = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://assets.test');
    const body = files.get(pathname);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    if (!body) {
      request.resume();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":[]}');
      return;
    }
    if (!compressed.has(pathname)) compressed.set(pathname, compress(body));
    response.setHeader('Content-Type', types[extname(pathname)] ?? 'application/octet-stream');
    response.setHeader('Cache-Control', cacheControl(pathname));
    response.setHeader('Content-Encoding', 'br');
    response.end(compressed.get(pathname));
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, stop: () => close(server) };
}

/** Serves pages that are created on request, from another site than the assets, as in production. */
export async function startPageServer(page: (path: string) => string) {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Encoding', 'br');
    response.end(brotliCompressSync(page(request.url!), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }));
  });
  return { url: `http://localhost:${await listen(server)}`, stop: () => close(server) };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
