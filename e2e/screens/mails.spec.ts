import { accessibilityFaults, expect, test as base } from '../support/fixtures.ts';
import { areComparable } from './pictures.ts';
import { mailsIn } from './testing/mails.ts';
import { variants } from './variants.ts';

const test = base.extend<object, { areComparable: boolean }>({
  areComparable: [areComparable, { scope: 'worker' }],
});

// A sample: each kind in one of the ways, by turns. `npm run visual` sees every kind in all of them.
const isOfRun = (kind: number, way: number) =>
  Boolean(process.env['PICTURES']) || kind % variants.length === way;

for (const [way, { name: variant, language, use }] of variants.entries())
  test.describe(variant, () => {
    test.use(use);

    test('mails: axe finds nothing, and they look as in their pictures', async ({
      page,
      areComparable: isCompared,
    }) => {
      const mails = Object.entries(await mailsIn(language)).filter((_, index) => isOfRun(index, way));
      for (const [kind, html] of mails) {
        await page.setContent(html);
        if (isCompared) await expect.soft(page).toHaveScreenshot(`mail-${kind}.${variant}.png`);
        expect.soft(await accessibilityFaults(page), kind).toEqual([]);
      }
    });
  });
