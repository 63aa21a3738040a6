import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { percentEncoded } from '../../shared/text/percent.ts';
import type { FileStore } from './store.ts';

/** The links are the only key: nothing else may learn them, and what they open can do nothing in this origin. */
const headers = {
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, max-age=86400',
  // Customers' widgets show the pictures, on pages of any origin.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

/** The files that agents have attached, to be mounted under `/f`. They open without a sign-in. */
export function fileRoutes(files: FileStore): Hono {
  return new Hono().get('/:token/:name', async (c) => {
    const { token } = c.req.param();
    const file = files.find(token);
    if (!file) return c.text('Not found', 404, headers);
    const { name, type, size } = file;
    const use = type === null ? 'attachment' : 'inline';
    const given = {
      ...headers,
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Length': String(size),
      'Content-Disposition': `${use}; filename*=UTF-8''${percentEncoded(name)}`,
    };
    if (c.req.method === 'HEAD') return c.body(null, 200, given);
    return c.body(Readable.toWeb(files.read(token)) as ReadableStream, 200, given);
  });
}
