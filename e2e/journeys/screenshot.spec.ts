import { chromium } from '@playwright/test';
import { findChromium } from '../../scripts/browser.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { accessibilityFaults, expect, test as base } from '../support/fixtures.ts';

const size = { width: 1200, height: 700 };
/** In pixels of the page. */
const secret = { left: 300, top: 175, width: 300, height: 175 };
const hidden = { left: 280, top: 155, width: 340, height: 215 };

/** A browser that shares its tab without asking. The one without a window, as other journeys have it, shares nothing. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  page: async ({}, use) => {
    const browser = await chromium.launch({
      ...chromiumLaunch,
      args: [...chromiumLaunch.args!, '--auto-accept-this-tab-capture', '--screen-info={1280x800}'],
    });
    const context = await browser.newContext({ viewport: size });
    await use(await context.newPage());
    await browser.close();
  },
});
test.skip(!findChromium(), 'needs a browser that shares its tabs');

test('a screenshot shows the page without panel and launcher, and one colour in place of what is hidden [screenshot-3]', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  // A red page with a yellow secret: nothing of it has a colour of the widget.
  await page.evaluate(({ left, top, width, height }) => {
    document.body.style.cssText = 'margin:0;height:100vh;background:#e00';
    const box = document.createElement('div');
    box.style.cssText = `position:fixed;background:#fe0;left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    document.body.replaceChildren(box);
  }, secret);
  await widget.open();
  await widget.app.getByRole('button', { name: 'Screenshot of this page' }).click();

  const editor = widget.app.getByRole('dialog', { name: 'Edit screenshot' });
  const stage = editor.getByRole('application');
  // The panel gets wider: until the stage stands still.
  await stage.click({ trial: true });
  const { x, y, width, height } = (await stage.boundingBox())!;
  // The picture is in the middle of the stage, as large as it fits.
  const scale = Math.min(width / size.width, height / size.height);
  const at = (left: number, top: number) =>
    [
      x + (width - size.width * scale) / 2 + left * scale,
      y + (height - size.height * scale) / 2 + top * scale,
    ] as const;
  await page.mouse.move(...at(hidden.left, hidden.top));
  await page.mouse.down();
  await page.mouse.move(...at(hidden.left + hidden.width, hidden.top + hidden.height));
  await page.mouse.up();
  await expect(editor.getByRole('group', { name: 'Hidden area' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await editor.getByRole('button', { name: 'Attach' }).click();
  await expect(editor).toHaveCount(0);

  const picture = await widget.app.locator('img.file-look').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const { naturalWidth: across, naturalHeight: down } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width: across, height: down });
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, across, down);
    const pixels = { black: 0, red: 0, other: 0 };
    for (let i = 0; i < data.length; i += 4) {
      const [red, green, blue] = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (red + green + blue === 0) pixels.black += 1;
      else if (red > 180 && green < 60 && blue < 60) pixels.red += 1;
      else pixels.other += 1;
    }
    return { width: across, height: down, pixels };
  });
  expect(picture).toMatchObject({ ...size, pixels: { other: 0 } });
  // Whole pixels: as much as was drawn, and no more than a pixel of the screen beside it.
  expect(picture.pixels.black).toBeGreaterThanOrEqual(secret.width * secret.height);
  expect(picture.pixels.black).toBeLessThan((hidden.width + 6) * (hidden.height + 6));
});
