import { accessibilityFaults, expect, test as base } from '../support/fixtures.ts';
import { type CannedBff, startCannedBff } from './canned-bff.ts';
import { areComparable } from './pictures.ts';
import { screens } from './screens.ts';
import { variants } from './variants.ts';
import { createVisit, reach } from './visit.ts';

const test = base.extend<object, { bff: CannedBff; areComparable: boolean }>({
  bff: [
    async ({ stack }, use) => {
      const bff = await startCannedBff(stack.bffUrl);
      stack.host.bffUrl = bff.url;
      await use(bff);
      await bff.stop();
    },
    { scope: 'worker' },
  ],
  areComparable: [areComparable, { scope: 'worker' }],
});

// A picture shows a failure better, and a trace of every screen takes as long as everything else.
test.use({ trace: 'off' });

// A sample: every sixth screen, in one of the ways by turns. `npm run visual` sees every screen in all of them.
const isOfRun = (screen: number, way: number) =>
  Boolean(process.env['PICTURES']) || screen % (6 * variants.length) === 6 * way;

for (const [way, { name: variant, language, use }] of variants.entries())
  test.describe(variant, () => {
    test.use({ ...use, timezoneId: 'UTC', locale: 'en-US', reducedMotion: 'reduce' });

    for (const screen of screens.filter((_, index) => isOfRun(index, way)))
      test(`${screen.name}: axe finds nothing, and it looks as in its picture`, async ({
        page,
        context,
        stack,
        bff,
        areComparable: isCompared,
      }) => {
        const { origin } = stack.host;
        await reach(screen, createVisit({ page, context, bff, origin, language }));
        if (isCompared) await expect.soft(page).toHaveScreenshot(`${screen.name}.${variant}.png`);
        expect(await accessibilityFaults(page)).toEqual([]);
      });
  });
