import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { answerTo } from './mail-answer.ts';
import { answeredMail, mailPage, type TakenMail } from './mails.ts';

interface DemoSiteOptions {
  /** Public address of the BFF, without a slash at the end. */
  bffUrl: string;
  /** 0 takes any free port. */
  port: number;
  host?: string;
  /** Lets `reload` reach the pages that are open. */
  liveReload?: boolean;
  /** Shown at `/mails`. */
  mails?: readonly TakenMail[];
  /** Delivers an answer to one of them. */
  deliver?: (mail: Buffer) => Promise<void>;
}

interface DemoSite {
  url: string;
  /** Reloads the pages of the shop that are open, where `liveReload` was asked for. */
  reload: () => void;
  /** Reloads the page of the mails: there is a new one. */
  reloadMails: () => void;
  close: () => Promise<void>;
}

const shopDir = join(import.meta.dirname, 'shop');
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The policy of a careful shop. The widget needs only its script and its frame. */
const securityPolicy = (bffUrl: string) =>
  [
    `default-src 'self'`,
    `script-src 'self' ${bffUrl}`,
    `frame-src ${bffUrl}`,
    `style-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');

/** Open pages that one call reloads. */
function createReloads() {
  const open = new Set<ServerResponse>();
  return {
    add(response: ServerResponse): void {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      open.add(response);
      response.once('close', () => open.delete(response));
    },
    all(): void {
      for (const response of open) response.write('data: reload\n\n');
    },
  };
}

/**
 * Serves the demo shop, with the widget's script tag pointing to the BFF, and the mails. Rejects when the port is in use.
 */
export async function createDemoSite({
  bffUrl,
  port,
  host = 'localhost',
  liveReload = false,
  mails = [],
  deliver,
}: DemoSiteOptions): Promise<DemoSite> {
  // SECURITY: only files that were listed here are served, for every path.
  const files = new Set((await readdir(shopDir, { recursive: true })).filter((name) => types[extname(name)]));
  const headers = {
    'Content-Security-Policy': securityPolicy(bffUrl),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };

  const ofShop = createReloads();
  const ofMails = createReloads();
  const fill = (page: string) =>
    page
      .replaceAll('{{DESKSIDE_URL}}', bffUrl)
      .replace('</head>', `${liveReload ? '<script defer src="/live-reload.js"></script>' : ''}</head>`);

  async function answer(path: string, response: ServerResponse): Promise<void> {
    const name = path === '/' ? 'index.html' : path.slice(1);
    if (files.has(name)) {
      const page = await readFile(join(shopDir, name), 'utf8');
      response.writeHead(200, { ...headers, 'Content-Type': types[extname(name)] }).end(fill(page));
      return;
    }
    const page = await mailPage(mails, path);
    if (page) {
      const { body, securityPolicy: policy } = page;
      response
        .writeHead(200, {
          ...headers,
          'Content-Security-Policy': policy,
          'Content-Type': types['.html'],
        })
        .end(body);
    } else response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('Not found');
  }

  /** The form below a mail: false for other paths and other sites. */
  async function takeAnswer(path: string, request: IncomingMessage): Promise<boolean> {
    const mail = await answeredMail(mails, path);
    if (!mail || !deliver || request.headers['sec-fetch-site'] !== 'same-origin') return false;
    const words = new URLSearchParams(await text(request)).get('words') ?? '';
    const written = await answerTo(mail, words);
    if (written) await deliver(written);
    return written !== null;
  }

  async function post(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await takeAnswer(path, request))
      response.writeHead(303, { Location: path.replace('/answer', '') }).end();
    else response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('Not found');
  }

  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const fail = () => response.writeHead(500, headers).end();
    if (liveReload && path === '/live-reload') ofShop.add(response);
    else if (path === '/mails/events') ofMails.add(response);
    else if (request.method === 'POST') post(path, request, response).catch(fail);
    else answer(path, response).catch(fail);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    reload: ofShop.all,
    reloadMails: ofMails.all,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
