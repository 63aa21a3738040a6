import { accessibilityFaults, expect, newEmail, testWith } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

const test = testWith({ RATINGS: 'on' });

test('a customer says that an answer solved it and rates it, with the keyboard, and is not asked again', async ({
  page,
  stack,
  desk,
}) => {
  const widget = new Widget(page, true);
  const subject = `Rated ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.bffUrl);
  await widget.openTicket({ email: newEmail(), subject, description: 'Where is my order?' });
  const card = page.getByRole('group', { name: 'Did this solve it?' });
  await expect(card).toHaveCount(0);
  await desk.openTicket(subject);
  await desk.answer('It arrives on Thursday.');
  await expect(card).toBeVisible();
  await expect(widget.reply).toBeFocused();

  await card.getByRole('button', { name: 'Yes' }).press('Enter');
  const faces = page.getByRole('group', { name: 'How was our help?' });
  await faces.getByRole('radio', { name: 'Very bad' }).focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await expect(faces.getByRole('radio', { name: 'Good', exact: true })).toBeChecked();
  await page.getByLabel('Anything to add?').fill('Quick');
  expect(await accessibilityFaults(page)).toEqual([]);
  const rated = page.waitForResponse(/\/rating$/);
  await widget.send.click();
  expect((await rated).status()).toBe(200);
  await expect(page.getByText('Thank you.')).toBeFocused();

  await page.reload();
  await widget.tickets.getByText(subject).click();
  await expect(widget.conversation.getByText('It arrives on Thursday.')).toBeVisible();
  await expect(widget.reply).toBeVisible();
  await expect(card).toHaveCount(0);
});
