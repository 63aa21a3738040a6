import type { Customer } from './customer.ts';
import { frameSelector, launcherSelector, scripts } from './customer.ts';
import type { Sentences } from './sentences.ts';
import { untilDone } from './until.ts';
import type { WebKitWindow } from './webkit.ts';

const widgetSelector = 'deskside-root';

/** A customer in WebKitGTK. From `open` on the driver stays inside the panel's frame. */
export function webKitCustomer(window: WebKitWindow): Customer {
  const inShadow = (selector: string) =>
    untilDone(async () => {
      const [element] = await window.findInShadow(widgetSelector, selector);
      if (element === undefined) throw new Error(`no ${selector} in the widget`);
      return element;
    });

  const named = (selector: string, name: string) =>
    untilDone(async () => {
      for (const element of await window.find(selector))
        if ((await window.isShown(element)) && (await window.label(element)).includes(name)) return element;
      throw new Error(`no ${selector} is called “${name}”`);
    });

  async function enterPanel() {
    await window.leaveFrames();
    await window.enterFrame(await inShadow(frameSelector));
  }

  return {
    goto: window.goto,
    async open() {
      await window.click(await inShadow(launcherSelector));
      await enterPanel();
      await untilDone(async () => {
        if ((await window.find('h1')).length === 0) throw new Error('the panel shows nothing');
      });
      await window.run(scripts.watch);
      return JSON.parse(await window.run(scripts.sentences)) as Sentences;
    },
    async write(field, text) {
      const element = await named('input, textarea', field);
      // Typing alone does not bring the focus into a frame.
      await window.click(element);
      await window.type(element, text);
    },
    press: async (button) => window.click(await named('button', button)),
    reads: () => window.run(scripts.reads),
    direction: () => window.run(scripts.direction),
    async violations() {
      const inPanel = await window.run<string[]>(scripts.violations);
      await window.leaveFrames();
      const onPage = await window.run<string[]>(scripts.violations);
      await enterPanel();
      return [...onPage, ...inPanel];
    },
  };
}
