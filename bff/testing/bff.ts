import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../app.ts';
import { openArticles } from '../articles/articles.ts';
import { createVotes } from '../articles/votes.ts';
import { gateHeader, idempotencyHeader, paths, sessionHeader } from '../contract/paths.ts';
import type { NewTicket } from '../contract/tickets.ts';
import { createDeps } from '../deps.ts';
import { loadAssets } from '../http/files/assets.ts';
import { createLog } from '../log/log.ts';
import { openMailer } from '../mail/open-mailer.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createSeal } from '../store/seal.ts';
import { noTracer, type Tracer } from '../tracing/tracer.ts';
import { createV1Client } from '../v1/client.ts';
import { createKeyRing } from '../v1/keys.ts';
import { createFakeService } from './fake-service.ts';
import { leaksOf } from './leaks.ts';
import { openTestStore } from './store/test-store.ts';

const dayMs = 86_400_000;
export const testSecretKey = 'a secret of more than thirty-two characters';
export const canaryKey = 'canary-3f9a1c77-api-key';

/**
 * The smallest folder that is accepted as a built widget. `script`: the name and content of the script that its
 * documents import.
 */
export function makeWidgetFolder(script = { name: 'account-1a2b3c4d.js', code: 'account()' }): string {
  const dir = mkdtempSync(join(tmpdir(), 'deskside-widget-'));
  process.once('exit', () => rmSync(dir, { recursive: true }));
  const csp = { script: "'sha256-script'", style: "'sha256-style'" };
  writeFileSync(
    join(dir, 'manifest.json'),
    JSON.stringify({
      version: '1.2.3',
      languages: ['en', 'de'],
      csp,
      playground: { playground: csp, sample: { ...csp, script: "'self'" } },
    }),
  );
  for (const name of ['playground', 'playground-sample', 'headless'])
    writeFileSync(join(dir, `${name}.html`), name);
  for (const tag of ['en', 'de']) writeFileSync(join(dir, `frame.${tag}.html`), `<html lang="${tag}">`);
  mkdirSync(join(dir, 'assets'));
  writeFileSync(join(dir, 'assets', script.name), script.code);
  writeFileSync(join(dir, 'assets', `${script.name}.br`), `${script.code} in brotli`);
  writeFileSync(join(dir, 'widget.js'), 'loader()');
  writeFileSync(join(dir, 'widget.js.br'), 'brotli');
  writeFileSync(join(dir, 'widget.js.gz'), 'gzip');
  return dir;
}

let madeFolder: string | undefined;
const widgetFolder = () => (madeFolder ??= makeWidgetFolder());

export const ticketBody: Omit<NewTicket, 'form'> = {
  subject: 'The lid is chipped',
  description: 'It came like this.\nWhat now?',
  customer_email: 'ada@example.com',
  customer_name: 'Ada',
};

/**
 * Starts a BFF with an in-memory store, unless `dataDir` is given, with its own clock and a fake service. Log lines
 * are kept in `logLines`.
 */
export async function startBff(
  more: {
    timeoutMs?: number;
    dataDir?: string;
    /** A folder of articles. */
    articlesDir?: string;
    widgetDir?: string;
    tracer?: Tracer;
    /** Another BFF with the same service. */
    beside?: { service: ReturnType<typeof createFakeService> };
  } & Partial<Parameters<typeof createDeps>[0]['config']> = {},
) {
  const {
    timeoutMs = 1_000,
    dataDir,
    articlesDir,
    widgetDir = widgetFolder(),
    tracer = noTracer,
    beside,
    ...settings
  } = more;
  const clock = {
    /** How far both clocks are ahead of real time. */
    offsetMs: 0,
    /** How far the wall clock alone was set ahead or back. */
    setAheadMs: 0,
  };
  const now = () => Date.now() + clock.offsetMs + clock.setAheadMs;
  // With a fraction, like that of the system.
  const elapsed = () => Date.now() + clock.offsetMs + 0.25;
  const service = beside?.service ?? createFakeService({ now });
  const metrics = createMetrics();
  const store = await openTestStore(dataDir, metrics);
  const logLines: string[] = [];
  const v1 = createV1Client({
    url: service.url,
    keys: createKeyRing({ keys: [canaryKey], keyFile: undefined }),
    timeoutMs,
    dispatcher: service.agent,
    metrics,
    tracer,
    now,
    elapsed,
  });
  const log = createLog('trace', { write: (line) => logLines.push(line) });
  const articles = articlesDir
    ? await openArticles({ dir: articlesDir, votes: createVotes({ store, now }), log, elapsed })
    : null;
  const assets = loadAssets(widgetDir);
  const config: Parameters<typeof createDeps>[0]['config'] = {
    publicUrl: 'https://support.test',
    allowedOrigins: ['https://shop.test', 'https://other.test'],
    brand: 'Acme',
    hasFooter: true,
    settleMs: 600_000,
    leaseMs: 3 * timeoutMs,
    watchActiveMs: 100,
    watchIdleMs: 100,
    readsPerSecond: 20,
    identity: {
      secret: undefined,
      publicKey: undefined,
      jwksUrl: undefined,
      audience: 'https://support.test',
    },
    mail: null,
    schedule: null,
    replyTime: { count: 2, unit: 'hour' },
    notifications: null,
    form: null,
    hasConfirmations: false,
    webhookSecrets: [],
    trustedProxies: 1,
    pow: 'off',
    retention: { rejectedMs: 30 * dayMs, undecidedMs: 30 * dayMs, unvisitedMs: 365 * dayMs },
    clientOrigins: [],
    hasPlayground: false,
    limits: {
      ticketsPerSession: 1_000,
      ticketsPerIp: 1_000,
      ticketsPerAddress: 1_000,
      messagesPerSession: 1_000,
      requestsPerIp: 600,
      streamsPerIp: 60,
    },
    ...settings,
  };
  const deps = createDeps({
    config,
    store,
    articles,
    mailer: await openMailer(config, log),
    ownScripts: assets.imports,
    seal: createSeal(testSecretKey),
    v1,
    metrics,
    tracer,
    log,
    now,
    elapsed,
    limitsFile: null,
  });
  const app = createApp(deps, assets);
  await deps.instances.start();
  await deps.worker.start();

  return {
    ...deps,
    app,
    service,
    clock,
    logLines,
    browser: (where?: Parameters<typeof createBrowser>[1]) => createBrowser(app, where),
    /** @throws when a log line or a metric reveals anything of a customer, or a key */
    async stop() {
      deps.live.stop();
      deps.history.stop();
      await Promise.all([deps.worker.stop(), deps.notices.job?.stop(), deps.history.settled()]);
      const leaks = await leaksOf({ logLines, metrics, service });
      await deps.instances.stop();
      deps.limits.close();
      if (!beside) await service.agent.close();
      await store.destroy();
      if (leaks.length > 0) throw new Error(`strangers may read this:\n${leaks.join('\n')}`);
    },
  };
}

export type TestBrowser = ReturnType<typeof createBrowser>;
export type TestBff = Awaited<ReturnType<typeof startBff>>;

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable typescript/no-explicit-any -- tests read whatever shape they expect
  data: any;
  error: any;
  // oxlint-enable typescript/no-explicit-any
}

let browsers = 0;
/** Every browser has another address, unless a test gives one. */
const newAddress = () => `10.${(browsers >> 16) & 255}.${(browsers >> 8) & 255}.${browsers++ & 255}`;

/** A browser that keeps its cookie, or its token when `isBearer`, and sends what the gate requires. */
function createBrowser(
  app: ReturnType<typeof createApp>,
  { address = newAddress(), isBearer = false }: { address?: string; isBearer?: boolean } = {},
) {
  const browser = {
    cookie: '',
    token: '',
    async request(
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> {
      const response = await app.request(path, {
        method,
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          'X-Forwarded-For': address,
          [gateHeader]: '1',
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(browser.cookie ? { Cookie: browser.cookie } : {}),
          ...(isBearer ? { [sessionHeader]: 'bearer' } : {}),
          ...(browser.token ? { Authorization: `Bearer ${browser.token}` } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const cookie = response.headers.get('set-cookie');
      if (cookie) browser.cookie = /max-age=0/i.test(cookie) ? '' : cookie.split(';')[0]!;
      const text = await response.text();
      const parsed = parse(text);
      browser.token = parsed.session_token ?? browser.token;
      return {
        data: undefined,
        error: undefined,
        ...parsed,
        status: response.status,
        headers: response.headers,
        text,
      };
    },
    get: (path: string) => browser.request('GET', path),
    post: (path: string, body: unknown, key: string = randomUUID()) =>
      browser.request('POST', path, body, { [idempotencyHeader]: key }),
    openTicket: (more: object = {}, key?: string) =>
      browser.post(paths.tickets, { ...ticketBody, ...more }, key),
  };
  return browser;
}

const parse = (text: string): { session_token?: string } => (text.startsWith('{') ? JSON.parse(text) : {});
