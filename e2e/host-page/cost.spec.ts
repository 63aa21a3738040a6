import { countAlive, noteSmoothness, openAndClose, smoothness } from '../bench/browser/measure.ts';
import { expect, test } from '../support/fixtures.ts';

test('the host page does not move when the launcher is added, nor when the panel opens and closes', async ({
  page,
  stack,
  widget,
}) => {
  await noteSmoothness(page);
  await page.goto(stack.host.origin);
  await widget.launcher.hover();
  await widget.open();
  await widget.launcher.click();
  await expect(page.locator('iframe[title="Support"]')).toBeHidden();
  expect((await smoothness(page)).shift).toBe(0);

  // The same observer does see what moves.
  await page.locator('h1').evaluate((heading) => {
    heading.style.marginTop = '120px';
  });
  expect((await smoothness(page)).shift).toBeGreaterThan(0);
});

test('opening and closing leaks no element and no listener, on the page or in the panel', async ({
  page,
  stack,
  widget,
}) => {
  const rounds = 50;
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.launcher.click();
  const session = await page.context().newCDPSession(page);
  await openAndClose(page, 5);
  const before = await countAlive(session);
  await openAndClose(page, rounds);
  const after = await countAlive(session);
  // Whatever is left once a round comes to at least as many.
  expect(after.nodes - before.nodes).toBeLessThan(rounds);
  expect(after.listeners - before.listeners).toBeLessThan(rounds);
});
