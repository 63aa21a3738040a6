import { accessibilityFaults, expect, test as base } from '../support/fixtures.ts';
import { type Pictures, openPictures } from './pictures.ts';
import { mailsIn } from './testing/mails.ts';
import { variants } from './variants.ts';

const test = base.extend<object, { pictures: Pictures }>({
  pictures: [async ({ browser }, use, info) => use(await openPictures(browser, info)), { scope: 'worker' }],
});

// A sample: each kind in one of the ways, by turns. `npm run visual` sees every kind in all of them.
const isOfRun = (kind: number, way: number) =>
  Boolean(process.env['PICTURES']) || kind % variants.length === way;

for (const [way, { name: variant, language, use }] of variants.entries())
  test.describe(variant, () => {
    test.use(use);

    test('mails: axe finds nothing, and they look as in their pictures', async ({ page, pictures }) => {
      const mails = Object.entries(await mailsIn(language)).filter((_, index) => isOfRun(index, way));
      for (const [kind, html] of mails) {
        await page.setContent(html);
        if (pictures.areComparable)
          await expect.soft(page).toHaveScreenshot(`mail-${kind}.${variant}.png`, pictures.tolerance);
        expect.soft(await accessibilityFaults(page), kind).toEqual([]);
      }
    });
  });
