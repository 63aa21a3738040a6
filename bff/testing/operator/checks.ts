import { mkdtempSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { SMTPServer } from 'smtp-server';
import { allChecks } from '../../cli/commands/check.ts';
import { type CheckContext, once, runChecks } from '../../core/operator/check.ts';
import { parseConfig } from '../../config.ts';
import { checkSeal } from '../../core/store/open.ts';
import { keepFilesPrivate } from '../../core/store/sqlite/files.ts';
import { startBff } from '../bff.ts';
import { makeWidgetFolder } from '../widget-folder.ts';

export const secretKey = 'a secret of more than thirty-two characters';

const listening: Server[] = [];
const widgetDir = makeWidgetFolder();

async function listenOn(server: Server): Promise<string> {
  listening.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves an app on loopback. Returns its address. */
export const serveApp = ({ fetch }: Pick<Parameters<typeof createAdaptorServer>[0], 'fetch'>) =>
  listenOn(createAdaptorServer({ fetch }) as Server);

/** Serves what a handler writes. */
export const serveHandler = (handler: (incoming: IncomingMessage, outgoing: ServerResponse) => void) =>
  listenOn(createServer(handler));

/** A mail server that requires a login, and accepts one password. */
export async function serveMail(password: string): Promise<{ port: number; close: () => void }> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _, done) =>
      auth.password === password ? done(null, { user: 'us' }) : done(new Error('No such user')),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close() };
}

/** How a proxy changes requests and answers. */
export interface Tampering {
  request?: (headers: IncomingHttpHeaders) => void;
  /** Returns another body, for a whole answer. */
  answer?: (answer: { status: number; headers: IncomingHttpHeaders; path: string }) => string | void;
  /** The most bytes of a request that it passes on. */
  maxBytes?: number;
  /** Whether it holds an answer back until it has ended. */
  isBuffering?: boolean;
}

/** A proxy before the server at `backend()`, which adds the client's address to `X-Forwarded-For`. */
const serveProxy = (backend: () => string, tampering: Tampering) =>
  serveHandler((incoming, outgoing) => {
    const { url = '/', method = 'GET' } = incoming;
    const headers = { ...incoming.headers };
    if (Number(headers['content-length']) > (tampering.maxBytes ?? Infinity)) {
      incoming.resume();
      return void outgoing.writeHead(413, { 'Content-Type': 'text/html' }).end('<h1>Too large</h1>');
    }
    headers['x-forwarded-for'] = [headers['x-forwarded-for'], '203.0.113.9'].filter(Boolean).join(', ');
    tampering.request?.(headers);
    const passed = request(backend() + url, { method, headers }, (answer) => {
      const facts = { status: answer.statusCode!, headers: { ...answer.headers }, path: url };
      const body = tampering.answer?.(facts);
      if (typeof body === 'string') {
        delete facts.headers['content-length'];
        outgoing.writeHead(facts.status, facts.headers).end(body);
        return void answer.resume();
      }
      if (!tampering.isBuffering) {
        outgoing.writeHead(facts.status, facts.headers).flushHeaders();
        return void answer.pipe(outgoing);
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => outgoing.writeHead(facts.status, facts.headers).end(Buffer.concat(chunks)));
    });
    outgoing.on('close', () => passed.destroy());
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });

/** Starts a BFF on its own store behind a proxy. Returns the settings for it. */
export async function startChecked(
  service: { url: string; key: string },
  tampering: Tampering = {},
  trustedProxies = 1,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-check-'));
  let backend = '';
  const publicUrl = await serveProxy(() => backend, tampering);
  const bff = await startBff({ dataDir, widgetDir, publicUrl, trustedProxies });
  await checkSeal(bff.store, bff.seal);
  keepFilesPrivate(dataDir);
  backend = await serveApp(bff.app);
  const env: Record<string, string> = {
    SUPPORT_API_URL: service.url,
    SUPPORT_API_KEY: service.key,
    ALLOWED_ORIGINS: 'https://shop.test,https://other.test',
    PUBLIC_URL: publicUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: secretKey,
    TRUST_PROXY: String(trustedProxies),
  };
  return { env, dataDir, bff };
}

/** Runs all checks with these settings. */
export const runAllChecks = (env: Record<string, string>, more: Partial<CheckContext> = {}) =>
  runChecks(
    allChecks({
      env,
      config: once(() => parseConfig(env)),
      now: Date.now,
      patienceMs: 10_000,
      mailTo: null,
      site: null,
      build: { version: '1.2.3', widgetDir },
      ...more,
    }),
  );

/** Stops all servers of this file. */
export async function stopServing(): Promise<void> {
  for (const server of listening.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
