/** A customer in WebKitGTK, which is driven over WebDriver: Playwright does not know a distribution's WebKit. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebKit } from '../../../scripts/browser.ts';
import { freePort, spawnOwned } from '../../../scripts/processes.ts';
import { type Customer, frameSelector, launcherSelector, scripts, type Sentences } from './customer.ts';

/** Keys under which WebDriver hands out references (W3C WebDriver section 12.3). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const shadowKey = 'shadow-6066-11e4-a52e-4f735466cecf';
const widgetSelector = 'deskside-root';
const patienceMs = 10_000;

type Reference = Record<string, string>;

/**
 * Tries again until it works.
 * @throws the last error, after ten seconds
 */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(50)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
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

/**
 * Starts a screen of its own, the driver and the browser.
 * @throws when one of them does not come up
 */
export async function launchWebKit({ driver, browser, xvfb }: WebKit) {
  const processes: ReturnType<typeof spawnOwned>[] = [];
  const start = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const running = spawnOwned(command, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    });
    processes.push(running);
    return running.child.stdout!;
  };
  const stop = () => processes.reverse().forEach(({ child }) => child.kill());
  try {
    const screen = start(xvfb, ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
    const [display] = (await once(screen, 'data')) as [Buffer];
    const port = await freePort();
    start(driver, [`--port=${port}`], { DISPLAY: `:${display.toString().trim()}` }).resume();
    const base = `http://127.0.0.1:${port}`;
    await untilDone(() => call(base, 'GET', '/status'));
    const { sessionId } = await call<{ sessionId: string }>(base, 'POST', '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } },
      },
    });
    const session = `${base}/session/${sessionId}`;
    return {
      customer: webKitCustomer(session),
      async close(): Promise<void> {
        await call(session, 'DELETE', '').catch(() => {});
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

/** From `open` on the driver stays inside the panel's frame. Elements are named by the driver's own ids. */
function webKitCustomer(session: string): Customer {
  const get = <T>(path: string) => call<T>(session, 'GET', path);
  const post = <T = null>(path: string, body?: object) => call<T>(session, 'POST', path, body);
  const run = <T>(body: string) => post<T>('/execute/sync', { script: body, args: [] });
  const enter = (element: string | null) =>
    post('/frame', { id: element === null ? null : { [elementKey]: element } });

  /** What matches in the document of the present frame, or in a shadow tree, in order. */
  async function find(selector: string, from = ''): Promise<string[]> {
    const found = await post<Reference[]>(`${from}/elements`, { using: 'css selector', value: selector });
    return found.map((reference) => reference[elementKey]!);
  }

  const inShadow = (selector: string) =>
    untilDone(async () => {
      const [host] = await find(widgetSelector);
      const root = await get<Reference>(`/element/${host}/shadow`);
      const [element] = await find(selector, `/shadow/${root[shadowKey]!}`);
      if (element === undefined) throw new Error(`no ${selector} in the widget`);
      return element;
    });

  /** Waits for what is shown and has this accessible name, as the engine computes it, and clicks it. */
  async function clickNamed(selector: string, name: string): Promise<string> {
    const found = await untilDone(async () => {
      for (const element of await find(selector)) {
        const isShown = await get<boolean>(`/element/${element}/displayed`);
        if (isShown && (await get<string>(`/element/${element}/computedlabel`)).includes(name))
          return element;
      }
      throw new Error(`no ${selector} is called “${name}”`);
    });
    await post(`/element/${found}/click`);
    return found;
  }

  async function enterPanel(): Promise<void> {
    await enter(null);
    await enter(await inShadow(frameSelector));
  }

  return {
    goto: async (url) => void (await post('/url', { url })),
    async open() {
      await post(`/element/${await inShadow(launcherSelector)}/click`);
      await enterPanel();
      await untilDone(async () => {
        if ((await find('h1')).length === 0) throw new Error('the panel shows nothing');
      });
      await run(scripts.watch);
      return JSON.parse(await run(scripts.sentences)) as Sentences;
    },
    async write(field, text) {
      // Typing alone does not bring the focus into a frame.
      const element = await clickNamed('input, textarea', field);
      await post(`/element/${element}/value`, { text });
    },
    press: async (button) => void (await clickNamed('button', button)),
    attach: () =>
      untilDone(async () => {
        if (!(await run<boolean>(scripts.attach))) throw new Error('nothing can be attached');
      }),
    reads: () => run(scripts.reads),
    direction: () => run(scripts.direction),
    async violations() {
      const inPanel = await run<string[]>(scripts.violations);
      await enter(null);
      const onPage = await run<string[]>(scripts.violations);
      await enterPanel();
      return [...onPage, ...inPanel];
    },
  };
}
