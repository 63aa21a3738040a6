import { accessibilityFaults, expect, test as base } from '../support/fixtures.ts';
import { type Pictures, openPictures } from './pictures.ts';
import { mailsIn } from './testing/mails.ts';
import { variants } from './variants.ts';

const test = base.extend<object, { pictures: Pictures }>({
  pictures: [async ({ browser }, use, info) => use(await openPictures(browser, info)), { scope: 'worker' }],
});

for (const { name: variant, language, use } of variants)
  test.describe(variant, () => {
    test.use(use);

    test('every kind of mail: axe finds nothing, and it looks as in its picture', async ({
      page,
      pictures,
    }) => {
      for (const [kind, html] of Object.entries(await mailsIn(language))) {
        await page.setContent(html);
        if (pictures.areComparable)
          await expect.soft(page).toHaveScreenshot(`mail-${kind}.${variant}.png`, pictures.tolerance);
        expect.soft(await accessibilityFaults(page), kind).toEqual([]);
      }
    });
  });
