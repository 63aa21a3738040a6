import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { WebKit } from '../../../scripts/browser.ts';
import { freePort } from '../../../scripts/processes.ts';
import { untilDone } from './until.ts';

/** Keys under which WebDriver hands out references (W3C WebDriver section 12.3). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const shadowKey = 'shadow-6066-11e4-a52e-4f735466cecf';

type Reference = Record<string, string>;

/** One window of WebKitGTK, driven over WebDriver. Elements are named by the driver's own ids. */
export interface WebKitWindow {
  goto(url: string): Promise<void>;
  /** Ids of what matches in the document of the present frame, in order. */
  find(selector: string): Promise<string[]>;
  findInShadow(hostSelector: string, selector: string): Promise<string[]>;
  enterFrame(element: string): Promise<void>;
  leaveFrames(): Promise<void>;
  click(element: string): Promise<void>;
  type(element: string, text: string): Promise<void>;
  /** The accessible name, as the engine computes it. */
  label(element: string): Promise<string>;
  isShown(element: string): Promise<boolean>;
  /** Runs the body of a function in the present frame. */
  run<T>(body: string): Promise<T>;
  close(): Promise<void>;
}

/**
 * Starts a screen of its own, the driver and the browser.
 * @throws when one of them does not come up
 */
export async function launchWebKit({ driver, browser, xvfb }: WebKit): Promise<WebKitWindow> {
  const processes: ChildProcess[] = [];
  const start = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    });
    processes.push(child);
    return child;
  };
  const stop = () => processes.reverse().forEach((child) => child.kill());

  try {
    const screen = start(xvfb, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
    const [display] = (await once(screen.stdout, 'data')) as [Buffer];
    const port = await freePort();
    start(driver, [`--port=${port}`], { DISPLAY: `:${display.toString().trim()}` }).stdout.resume();
    const base = `http://127.0.0.1:${port}`;
    await untilDone(() => call(base, 'GET', '/status'));
    const { sessionId } = await call<{ sessionId: string }>(base, 'POST', '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } },
      },
    });
    return openWindow(`${base}/session/${sessionId}`, stop);
  } catch (error) {
    stop();
    throw error;
  }
}

/** @throws the driver's error */
async function call<T>(base: string, method: string, path: string, body: object = {}): Promise<T> {
  const response = await fetch(base + path, {
    method,
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

function openWindow(session: string, stop: () => void): WebKitWindow {
  const get = <T>(path: string) => call<T>(session, 'GET', path);
  const post = <T = null>(path: string, body?: object) => call<T>(session, 'POST', path, body);
  const query = async (from: string, selector: string) => {
    const found = await post<Reference[]>(`${from}/elements`, { using: 'css selector', value: selector });
    return found.map((reference) => reference[elementKey]!);
  };
  return {
    goto: async (url) => void (await post('/url', { url })),
    find: (selector) => query('', selector),
    async findInShadow(hostSelector, selector) {
      const [host] = await query('', hostSelector);
      if (host === undefined) return [];
      const root = await get<Reference>(`/element/${host}/shadow`);
      return query(`/shadow/${root[shadowKey]!}`, selector);
    },
    enterFrame: async (element) => void (await post('/frame', { id: { [elementKey]: element } })),
    leaveFrames: async () => void (await post('/frame', { id: null })),
    click: async (element) => void (await post(`/element/${element}/click`)),
    type: async (element, text) => void (await post(`/element/${element}/value`, { text })),
    label: (element) => get(`/element/${element}/computedlabel`),
    isShown: (element) => get(`/element/${element}/displayed`),
    run: (body) => post('/execute/sync', { script: body, args: [] }),
    async close() {
      await call(session, 'DELETE', '').catch(() => {});
      stop();
    },
  };
}
