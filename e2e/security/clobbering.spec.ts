import type { Page } from '@playwright/test';
import { expect, newEmail, test } from '../support/fixtures.ts';
import { clobbered, elsewhere } from '../support/hosts/clobbered.ts';
import { Widget } from '../support/pages/widget.ts';

/** Where the launcher's middle is. By the prototype's own methods: on these pages not even Playwright finds anything. */
const launcher = (page: Page) =>
  page.evaluate(() => {
    const host = Document.prototype.querySelector.call(document, 'deskside-root');
    const box = host?.shadowRoot?.querySelector('.root > button')?.getBoundingClientRect();
    return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
  });

for (const path of Object.keys(clobbered))
  test(`elements with the names of globals and members of the document change nothing: ${path} [browser-29]`, async ({
    page,
    stack,
  }) => {
    const asked: string[] = [];
    await page.route(`${elsewhere}/**`, (route) => {
      asked.push(route.request().url());
      return route.fulfill({
        contentType: 'text/javascript',
        headers: { 'Access-Control-Allow-Origin': '*' },
        body: 'window.wasTaken = true; export const start = () => {};',
      });
    });
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(stack.host.origin + path);
    await expect.poll(() => launcher(page)).not.toBeNull();
    const { x, y } = (await launcher(page))!;
    await page.mouse.click(x, y);
    const frame = () => page.frames().find((each) => each.url().startsWith(`${stack.bffUrl}/frame`));
    await expect.poll(frame).toBeTruthy();
    const widget = new Widget(frame()! as unknown as Page, true);
    await widget.write({ email: newEmail(), subject: 'Clobbered', description: 'Is anything else there?' });
    await widget.send.press('Enter');
    await widget.conversation.getByText('Sent', { exact: true }).waitFor();
    const wasTaken = await page.evaluate(() => 'wasTaken' in window);
    expect({ asked, errors, wasTaken }).toEqual({ asked: [], errors: [], wasTaken: false });
  });
