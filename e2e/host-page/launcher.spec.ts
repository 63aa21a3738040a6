import { expect, testWith } from '../support/fixtures.ts';

const test = testWith({ SUPPORT_HOURS: 'Mo-Su 00:00-24:00 UTC; 2000-01-01..2099-12-31 closed' });

const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const text = 'Ask about your order';

test('the site’s words, picture and offsets are on the launcher, and outside the hours it is hidden', async ({
  page,
  stack,
}) => {
  await page.addInitScript((settings) => Object.assign(window, { DesksideSettings: settings }), {
    launcherText: text,
    launcherIcon: icon,
    offset: '30 60',
    offsetPhone: '12 80',
  });
  await page.goto(stack.host.origin);
  const launcher = page.locator('deskside-root').getByRole('button');
  await expect(launcher).toHaveAccessibleName(text);
  await expect(launcher.locator('img')).toBeVisible();
  const words = launcher.getByText(text);
  await expect(words).toBeVisible();
  // Its edge on a page of its own colour.
  await expect(launcher).toHaveCSS('box-shadow', /0px 0px 0px 1px/);

  const place = async () => {
    const { x, y, width, height } = (await launcher.boundingBox())!;
    const window = page.viewportSize()!;
    return { side: window.width - x - width, bottom: window.height - y - height, width };
  };
  expect(await place()).toMatchObject({ side: 30, bottom: 60 });
  // The words would fill more than half of the window.
  await page.setViewportSize({ width: 360, height: 700 });
  await expect.poll(place).toEqual({ side: 12, bottom: 80, width: 52 });
  await page.evaluate(() => window.Deskside!('update', { launcherText: 'Ask us' }));
  await expect.poll(async () => (await place()).width).toBeGreaterThan(90);

  await page.evaluate(() => window.Deskside!('update', { whenClosed: 'hide' }));
  await expect(launcher).toBeHidden();
  await page.evaluate(() => window.Deskside!('open'));
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible();
});
