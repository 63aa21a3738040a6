import type { BrowserContext, Page } from '@playwright/test';
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

type Target = { ticket: string } | { view: 'new' };
type Sentences = { [name: string]: string | Sentences };

export type Visit = ReturnType<typeof createVisit>;

/** One thing that the widget can show, and the way there: in this order. */
export interface Screen {
  name: string;
  /** Brings a condition about, under which all else happens. */
  impose?: (visit: Visit) => Promise<Visit>;
  before?: (visit: Visit) => Promise<unknown>;
  scene: (copy: Copy) => Scene;
  /** Of the widget. */
  settings?: object;
  /** On the page, whose panel is still closed. */
  arrived?: (visit: Visit) => Promise<unknown>;
  /** Where the panel is opened, by default at its start; false: not at all. */
  open?: Target | false;
  /** A text to wait for. */
  shows?: (copy: Copy) => string;
  act?: (visit: Visit, scene: Scene) => Promise<unknown>;
  /** A sentence to wait for. */
  see?: string;
}

export async function reach(screen: Screen, arriving: Visit): Promise<void> {
  const visit = (await screen.impose?.(arriving)) ?? arriving;
  const scene = screen.scene(visit.copy);
  await screen.before?.(visit);
  await visit.arrive(scene, screen.settings);
  await screen.arrived?.(visit);
  if (screen.open !== false) await visit.open(screen.open);
  if (screen.shows) await visit.app.getByText(screen.shows(visit.copy)).waitFor();
  await screen.act?.(visit, scene);
  if (screen.see) await visit.see(screen.see);
}

/** One customer's visit to a host page in any language. Texts on the screen are named by their sentences. */
export function createVisit({ page, context, bff, origin, language }: VisitOptions) {
  const app = page.frameLocator('iframe');
  const copy: Copy = copies[language];

  async function words(path: string): Promise<string> {
    const sentences = JSON.parse((await app.locator('#sentences').textContent())!) as Sentences;
    const sentence = path
      .split('.')
      .reduce<string | Sentences | undefined>((at, name) => (at as Sentences | undefined)?.[name], sentences);
    if (typeof sentence !== 'string') throw new Error(`the panel has no sentence “${path}”`);
    return sentence;
  }

  const call = (...command: unknown[]) =>
    page.evaluate(
      (all) => (window as unknown as { Deskside: (...each: unknown[]) => void }).Deskside(...all),
      command,
    );

  /** Presses the button with this sentence of the panel, by its path: `fields.subject`. */
  const press = async (path: string): Promise<void> =>
    app.getByRole('button', { name: await words(path), exact: true }).click();

  return {
    page,
    context,
    bff,
    copy,
    app,
    launcher: page.locator('button[aria-expanded]'),
    /** Goes to the host page; `settings` are the widget's. */
    async arrive(scene: Scene, settings: object = {}): Promise<void> {
      bff.show(scene);
      await page.clock.setFixedTime(now);
      const all = { locale: language, ...settings };
      await page.addInitScript(`window.DesksideSettings = ${JSON.stringify(all)}`);
      await page.goto(`${origin}/usual`);
      await page.waitForFunction(() => 'Deskside' in window);
    },
    /** Opens the panel: at its start, in a ticket or at the form. */
    async open(target?: Target): Promise<void> {
      await call('open', target);
      await app.locator('main').waitFor();
    },
    /** Calls the API of the page. */
    call,
    press,
    /** The same for an item of the menu in the bar. */
    async choose(path: string): Promise<void> {
      await press('more');
      await press(path);
    },
    /** Waits for a sentence. */
    async see(path: string): Promise<void> {
      const [beforePlaceholder] = (await words(path)).split('{');
      await app.getByText(beforePlaceholder!).first().waitFor();
    },
  };
}
