/** A customer in front of a browser, the same for every engine, and the one whom Playwright drives. */
import { expect, type Page } from '@playwright/test';
import { frameOf } from '../at-service.ts';

/** What the panel calls things, in the language that it speaks; the document that it is made of carries them all. */
export interface Sentences {
  fields: { customer_email: string; subject: string; description: string };
  send: string;
  states: { done: string };
  writeReply: string;
  sendReply: string;
}

/** Controls are found by their accessible names. */
export interface Customer {
  goto(url: string): Promise<void>;
  /** Opens the panel by its launcher; answers the sentences that the panel speaks. */
  open(): Promise<Sentences>;
  write(field: string, text: string): Promise<void>;
  press(button: string): Promise<void>;
  /** Chooses a picture of 60 by 40 pixels, `crack.png`, as a file for the message. */
  attach(): Promise<void>;
  /** All that the panel shows as text. */
  reads(): Promise<string>;
  /** Which way the panel runs. */
  direction(): Promise<string>;
  /** What the policies of host page and panel have refused; of the panel, since it was opened. */
  violations(): Promise<string[]>;
}

export const launcherSelector = 'button[aria-expanded]';
/** Its title is in the page's language. */
export const frameSelector = 'iframe';

/** Bodies of functions that every driver can run, since they are plain text. */
export const scripts = {
  sentences: "return document.getElementById('sentences').textContent",
  reads: 'return document.body.innerText',
  /** False while nothing can be attached. */
  attach: `const input = document.querySelector('input[type=file]');
    if (!input) return false;
    const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 40 });
    canvas.getContext('2d').fillRect(0, 0, 60, 40);
    canvas.toBlob((picture) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File([picture], 'crack.png', { type: 'image/png' }));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
    return true`,
  direction: 'return getComputedStyle(document.documentElement).direction',
  violations: 'return window.violations ?? []',
  watch: `window.violations = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
      violations.push([effectiveDirective, blockedURI, sample].join(' ')))`,
} as const;

const asExpression = (body: string) => `(() => { ${body} })()`;

export function playwrightCustomer(page: Page): Customer {
  const app = page.frameLocator(frameSelector);
  const inPanel = <T>(body: string) => frameOf({ page }).evaluate<T>(asExpression(body));
  return {
    goto: async (url) => void (await page.goto(url)),
    async open() {
      await page.locator(launcherSelector).click();
      await app.getByRole('heading', { level: 1 }).waitFor();
      await inPanel(scripts.watch);
      return JSON.parse(await inPanel(scripts.sentences)) as Sentences;
    },
    write: (field, text) => app.getByRole('textbox', { name: field }).fill(text),
    press: (button) => app.getByRole('button', { name: button, exact: true }).click(),
    async attach() {
      await expect.poll(() => inPanel<boolean>(scripts.attach)).toBe(true);
    },
    reads: () => inPanel(scripts.reads),
    direction: () => inPanel(scripts.direction),
    violations: async () => [
      ...(await page.evaluate<string[]>(asExpression(scripts.violations))),
      ...(await inPanel<string[]>(scripts.violations)),
    ],
  };
}
