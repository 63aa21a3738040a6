import { chromium, type Browser } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mailHookPath, idempotencyHeader, paths } from '../../shared/contract/paths.ts';
import { maxLength } from '../../shared/contract/limits.ts';
import { startFakeService } from '../../scripts/fake-service.ts';
import { type Bff, startBff } from '../faults/servers/bff.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { newTicket, openTickets } from './customers.ts';
import { answers, articles, mails, texts } from './hostile.ts';
import { buildOf } from './press.ts';
import type { BenchOptions, Figure, Section } from './report.ts';

/*
 * How long a hostile text stops the BFF's process, or the customer's browser. Any build measures itself
 * (`longest-turn.mjs`), in processor time, so other work of the machine hardly counts.
 */

const hookSecret = 'the-secret-of-the-hook-of-incoming-mails';
/** The BFF looks for changed articles this often. */
const articlesCheckedMs = 31_000;
const settleMs = 300;
/** By then a mail that was taken in is a ticket. */
const mailReadMs = 1_500;

/** The milliseconds of each round, by what was done. */
type Measured = Map<string, { table: string; rounds: number[] }>;

function add(measured: Measured, table: string, what: string, ms: number): void {
  const known = measured.get(what) ?? { table, rounds: [] };
  known.rounds.push(ms);
  measured.set(what, known);
}

/** The longest since it was last asked. */
async function longestPause({ bff, file }: Pick<Running, 'bff' | 'file'>): Promise<number> {
  await rm(file, { force: true });
  process.kill(bff.pid(), 'SIGUSR2');
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return Number(text);
    if (bff.crashes.length > 0) throw new Error(bff.crashes.join());
    await sleep(10);
  }
}

async function pauseDuring(running: Running, act: () => Promise<unknown>): Promise<number> {
  await sleep(settleMs);
  await longestPause(running);
  await act();
  await sleep(settleMs);
  return longestPause(running);
}

interface Running {
  bff: Bff;
  /** Where its process writes its longest pause. */
  file: string;
  service: Awaited<ReturnType<typeof startFakeService>>;
  articlesDir: string;
  measured: Measured;
}

async function start(entry: string | undefined, origin: string, folder: string): Promise<Running> {
  const service = await startFakeService();
  const articlesDir = await mkdtemp(join(folder, 'articles-'));
  const file = join(articlesDir, '.longest');
  await mkdir(join(articlesDir, 'en'));
  const bff = await startBff({
    ...(entry && { entry }),
    settings: {
      SUPPORT_API_URL: service.url,
      SUPPORT_API_KEY: 'bench',
      ALLOWED_ORIGINS: origin,
      LOG_LEVEL: 'fatal',
      ARTICLES_DIR: articlesDir,
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'support@shop.test',
      MAIL_IN: 'hook',
      MAIL_IN_SECRET: hookSecret,
      MAIL_IN_NEW: 'on',
      NODE_OPTIONS: '--import=./e2e/bench/longest-turn.mjs',
      LONGEST_TURN: file,
    },
  });
  return { bff, file, service, articlesDir, measured: new Map() };
}

/** A ticket whose text is this one, and its conversation. */
async function measureTexts(running: Running): Promise<void> {
  const { bff, measured } = running;
  const url = bff.url()!;
  for (const [what, text] of texts(maxLength.description)) {
    const { headers } = await openTickets(url, 1);
    const write = { ...headers, 'content-type': 'application/json' };
    const send = async (path: string, body: object) =>
      (
        await fetch(url + path, {
          method: 'POST',
          headers: { ...write, [idempotencyHeader]: randomUUID() },
          body: JSON.stringify(body),
        })
      ).json() as Promise<{ data?: { id?: string } }>;
    const ms = await pauseDuring(running, async () => {
      const { data } = await send(paths.tickets, { ...newTicket, description: text });
      if (!data?.id) return;
      await send(paths.messages(data.id), { body: text });
      await (await fetch(url + paths.ticket(data.id), { headers })).text();
    });
    add(measured, 'A text of a customer', what, ms);
  }
}

/** The conversation of a ticket for which the service answers this. */
async function measureAnswers(running: Running): Promise<void> {
  const { bff, service, measured } = running;
  const url = bff.url()!;
  for (const [what, make] of Object.entries(answers)) {
    const { headers, id } = await openTickets(url, 1);
    const { messages: _, ...ticket } = service.tickets.get(id)!;
    const data = `{"data":{${JSON.stringify(ticket).slice(1, -1)},${make()}}}`;
    service.answer = ({ method, path }) =>
      method === 'GET' && path.endsWith(id) ? { statusCode: 200, data } : undefined;
    const ms = await pauseDuring(running, async () => {
      await (await fetch(url + paths.ticket(id), { headers })).text();
    });
    service.answer = undefined;
    add(measured, 'An answer of the service of up to 4 MB', what, ms);
  }
}

async function measureMails(running: Running): Promise<void> {
  const { bff, measured } = running;
  for (const [what, make] of Object.entries(mails)) {
    const body = Buffer.from(make());
    const ms = await pauseDuring(running, async () => {
      const { status } = await fetch(`${bff.url()}${mailHookPath}/${hookSecret}`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822' },
        body,
      });
      if (status !== 204) throw new Error(`the hook answered ${status}`);
      await sleep(mailReadMs);
    });
    add(measured, 'A mail', what, ms);
  }
}

async function measureArticles(running: Running): Promise<void> {
  const { bff, articlesDir, measured } = running;
  for (const [name, text] of Object.entries(articles)) await writeFile(join(articlesDir, 'en', name), text);
  await sleep(articlesCheckedMs);
  const ms = await pauseDuring(running, async () => {
    const current = async () => (await fetch(`${bff.url()}/api/articles`)).text();
    const before = await current();
    for (let waited = 0; waited < 120 && (await current()) === before; waited += 1) await sleep(500);
  });
  add(measured, 'Articles', `${Object.keys(articles).length} articles that have changed`, ms);
}

/** The longest task of the browser while an agent's message of this text comes onto the screen. */
async function measureWidget({ service, measured }: Running, browser: Browser, page: string): Promise<void> {
  for (const [what, text] of texts(maxLength.body)) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    try {
      const tab = await context.newPage();
      await tab.addInitScript(() => {
        const tasks: number[] = [];
        Object.assign(window, { tasks });
        new PerformanceObserver((list) =>
          tasks.push(...list.getEntries().map(({ duration }) => duration)),
        ).observe({ type: 'longtask' });
      });
      await tab.goto(page);
      await tab.locator('button[aria-expanded]').click();
      const panel = tab.frameLocator('iframe');
      await panel.locator('[name=customer_email]').fill(`ada${randomUUID()}@example.com`);
      await panel.locator('[name=description]').fill('What now?');
      await panel.locator('form button[type=submit], form button:not([type])').first().click();
      await panel.locator('[role=log]').waitFor();
      await tab.waitForTimeout(3 * settleMs);
      const frame = tab.frames().find((each) => each.parentFrame())!;
      const tasks = () => frame.evaluate(() => (window as unknown as { tasks: number[] }).tasks.splice(0));
      await tasks();
      const [id] = [...service.tickets.keys()].slice(-1);
      service.addMessage(id!, 'agent', text);
      await panel.locator('.message').nth(1).waitFor({ timeout: 60_000 });
      await tab.waitForTimeout(2 * settleMs);
      // Shorter ones are not reported.
      add(measured, 'The customer’s browser', `an answer: ${what}`, Math.max(50, ...(await tasks())));
    } finally {
      await context.close();
    }
  }
}

export async function benchPauses({ isQuick, against }: BenchOptions): Promise<Section> {
  const only = process.env['ONLY']?.split(',');
  const isAsked = (name: string) => !only || only.includes(name);
  const folder = await mkdtemp(join(tmpdir(), 'deskside-pauses-'));
  const other = against ? await buildOf(against) : null;
  const tags: string[] = [];
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>A shop</title>${tags[Number(request.url!.slice(1))] ?? ''}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const pages = `http://localhost:${(server.address() as AddressInfo).port}`;
  const all = [await start(undefined, pages, folder)];
  if (other) all.push(await start(other.entry, pages, folder));
  tags.push(...all.map(({ bff }) => `<script async src="${bff.url()}/widget.js"></script>`));
  const browser = await chromium.launch(chromiumLaunch);
  try {
    for (let round = 0; round < (isQuick ? 1 : 2); round += 1)
      for (const [which, each] of all.entries()) {
        if (isAsked('texts')) await measureTexts(each);
        if (isAsked('answers')) await measureAnswers(each);
        if (isAsked('mails')) await measureMails(each);
        if (isAsked('articles') && round === 0) await measureArticles(each);
        if (isAsked('widget')) await measureWidget(each, browser, `${pages}/${which}`);
      }
    const [ours, theirs] = all.map(({ measured }) => measured);
    const figures = [...ours!].map(([what, { table, rounds }]): Figure => {
      const beside = theirs?.get(what);
      return {
        table,
        what,
        unit: 'ms',
        of: rounds,
        ...(beside && { beside: { [against!]: beside.rounds } }),
      };
    });
    return {
      figures,
      notes: [
        'The longest time for which the process did nothing else, in processor time, and the longest task of the browser, of ' +
          'which none under 50 ms is reported. The goal is 50 ms.',
      ],
    };
  } finally {
    await browser.close();
    server.close();
    for (const { bff, service } of all) {
      await bff.stop();
      await service.stop();
    }
    await other?.remove();
    await rm(folder, { recursive: true });
  }
}
