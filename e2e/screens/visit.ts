import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test';
import type { CannedBff, Scene } from './canned-bff.ts';
import { type Copy, copies } from './copy.ts';
import { now } from './scenes.ts';

interface VisitOptions {
  page: Page;
  context: BrowserContext;
  bff: CannedBff;
  /** The address of the host page. */
  origin: string;
  language: keyof typeof copies;
}

type Sentences = { [name: string]: string | Sentences };

/** One customer's visit to a host page in any language. Texts on the screen are named by their sentences. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  bff: CannedBff;
  copy: Copy;
  app: FrameLocator;
  launcher: Locator;
  /** Goes to the host page; `settings` are the widget's. */
  arrive(scene: Scene, settings?: object): Promise<void>;
  /** Opens the panel: at its start, in a ticket or at the form. */
  open(target?: { ticket: string } | { view: 'new' }): Promise<void>;
  /** A sentence of the panel, by its path: `fields.subject`. */
  words(path: string): Promise<string>;
  press(path: string): Promise<void>;
  /** Waits for a sentence. */
  see(path: string): Promise<void>;
}

/** One thing that the widget can show, and the way there. */
export interface Screen {
  name: string;
  reach(visit: Visit): Promise<void>;
}

export function createVisit({ page, context, bff, origin, language }: VisitOptions): Visit {
  const app = page.frameLocator('iframe');
  const copy = copies[language];

  /** Those in the document, and those that come in a script. */
  async function readSentences(): Promise<Sentences> {
    const href = await app.locator('#later').evaluate((link) => (link as HTMLLinkElement).href);
    const script = await (await page.request.get(href)).text();
    return {
      ...JSON.parse((await app.locator('#sentences').textContent())!),
      ...JSON.parse(script.replace('export default ', '')),
    };
  }

  async function words(path: string): Promise<string> {
    const sentences = await readSentences();
    const sentence = path
      .split('.')
      .reduce<string | Sentences | undefined>((at, name) => (at as Sentences | undefined)?.[name], sentences);
    if (typeof sentence !== 'string') throw new Error(`the panel has no sentence “${path}”`);
    return sentence;
  }

  return {
    page,
    context,
    bff,
    copy,
    app,
    launcher: page.locator('button[aria-haspopup="dialog"]'),
    words,
    async arrive(scene, settings = {}) {
      bff.show(scene);
      await page.clock.setFixedTime(now);
      const all = { locale: language, ...settings };
      await page.addInitScript(`window.DesksideSettings = ${JSON.stringify(all)}`);
      await page.goto(`${origin}/usual`);
      await page.waitForFunction(() => 'Deskside' in window);
    },
    async open(target) {
      await page.evaluate(
        (to) => (window as unknown as { Deskside: (...call: unknown[]) => void }).Deskside('open', to),
        target,
      );
      await app.locator('main').waitFor();
    },
    press: async (path) => app.getByRole('button', { name: await words(path), exact: true }).click(),
    async see(path) {
      const [beforePlaceholder] = (await words(path)).split('{');
      await app.getByText(beforePlaceholder!).first().waitFor();
    },
  };
}
