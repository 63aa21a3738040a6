import { expect, newEmail, test } from '../support/fixtures.ts';

test('two inline widgets in one page have their own settings and no launcher', async ({ page, stack }) => {
  await page.goto(`${stack.host.origin}/inline`);
  const [one, two] = ['#one', '#two'].map((id) => page.frameLocator(`${id} iframe`));
  await expect(one!.getByRole('heading', { name: 'How can we help?' })).toBeVisible();
  await expect(two!.getByRole('heading', { name: 'Anything about tea?' })).toBeVisible();
  expect(await page.locator('#one iframe').boundingBox()).toMatchObject({ height: 720 });
  expect(await page.locator('#two iframe').boundingBox()).toMatchObject({ height: 400 });
  await expect(page.locator('deskside-root button')).toBeHidden();
  await expect(one!.getByRole('button', { name: 'Close' })).toHaveCount(0);

  await one!.getByLabel('Email').fill(newEmail());
  await one!.getByLabel('Subject').fill('Inline');
  await one!.getByRole('textbox', { name: 'Message' }).fill('In the page itself.');
  await one!.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(one!.getByRole('log').getByText('Sent', { exact: true })).toBeVisible();
});

test('an inline widget with every field of the form shows “Send” without scrolling', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(`${stack.host.origin}/inline/priority`);
  const app = page.frameLocator('deskside-widget iframe');
  await expect(app.getByLabel('Priority')).toBeVisible();
  const send = await app.getByRole('button', { name: 'Send', exact: true }).boundingBox();
  const place = await page.locator('deskside-widget').boundingBox();
  expect(send!.y + send!.height).toBeLessThan(place!.y + place!.height);
});

test('an inline widget works after it was removed and added again, and when added later', async ({
  page,
  stack,
}) => {
  await page.goto(stack.host.origin);
  const place = page.locator('deskside-widget');
  const heading = page
    .frameLocator('deskside-widget iframe')
    .getByRole('heading', { name: 'How can we help?' });
  await page.evaluate(() => {
    const late = document.createElement('deskside-widget');
    document.body.append(late);
    Object.assign(window, { late });
  });
  await expect(heading).toBeVisible();
  await page.evaluate('late.remove()');
  await expect(place).toHaveCount(0);
  await page.evaluate('document.body.prepend(late)');
  await expect(heading).toBeVisible();
  await expect(place.locator('iframe')).toHaveCount(1);
});

test('an inline widget that is added while somebody types in the page takes no focus, and does not scroll it', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.host.origin}/inline/below`);
  const search = page.getByLabel('Search');
  await search.focus();
  await page.keyboard.type('tea');
  await page.frameLocator('deskside-widget iframe').getByRole('button', { name: 'Send' }).waitFor();
  await page.keyboard.type('pot');
  await expect(search).toHaveValue('teapot');
  await expect(search).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
