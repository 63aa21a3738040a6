import type { Locator } from '@playwright/test';
import { expect, newEmail, test } from '../support/fixtures.ts';

test('by keyboard alone a ticket is opened, answered and closed, and the focus is never lost', async ({
  page,
  stack,
  widget,
  desk,
}) => {
  const { keyboard } = page;
  const subject = `By keyboard ${crypto.randomUUID().slice(0, 8)}`;
  const field = (name: string): Locator => widget.app.getByRole('textbox', { name });
  const row = widget.app.getByRole('button', { name: subject });

  await page.goto(`${stack.host.origin}/usual`);
  await expect(widget.launcher).toBeVisible();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await expect(widget.launcher).toBeFocused();
  await keyboard.press('Enter');
  await expect(widget.description).toBeFocused();

  await test.step('a form that is not complete names what is missing, and leads there', async () => {
    await keyboard.press('Control+Enter');
    const summary = widget.app.getByRole('group', { name: 'Please fix the following' });
    await expect(summary).toBeFocused();
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await expect(summary.getByRole('button', { name: 'Email' })).toBeFocused();
    await keyboard.press('Enter');
    await expect(field('Email')).toBeFocused();
    await expect(field('Email')).toHaveAccessibleDescription(/Please fill in “Email”/);
  });

  await keyboard.type(newEmail());
  await keyboard.press('Shift+Tab');
  await expect(widget.description).toBeFocused();
  await keyboard.type(subject);
  await keyboard.press('Enter');
  await keyboard.type('Where is it?');

  await test.step('a subject is made from the first line, and the name comes after the address', async () => {
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await expect(field('Your name')).toBeFocused();
  });

  await test.step('what can be attached comes before the button that sends', async () => {
    for (const name of ['Attach files', 'Screenshot of this page', 'Send']) {
      await keyboard.press('Tab');
      await expect(widget.app.getByRole('button', { name, exact: true })).toBeFocused();
    }
    await keyboard.press('Enter');
  });

  await expect(widget.reply).toBeFocused();
  await expect(widget.conversation.getByText('Sent', { exact: true })).toBeVisible();
  await desk.openTicket(subject);
  await desk.answer('On its way.');
  await expect(widget.conversation.getByText('On its way.')).toBeVisible();
  await expect(widget.reply).toBeFocused();
  await keyboard.type('Thank you!');
  await keyboard.press('Enter');
  await expect(widget.conversation.getByText('Thank you!')).toBeVisible();
  await expect(widget.reply).toBeFocused();
  await expect(widget.reply).toHaveValue('');

  await test.step('the conversation can be scrolled, the list is one key away, and the row is found again', async () => {
    for (const button of ['Screenshot of this page', 'Attach files']) {
      await keyboard.press('Shift+Tab');
      await expect(widget.app.getByRole('button', { name: button })).toBeFocused();
    }
    await keyboard.press('Shift+Tab');
    await expect(widget.conversation).toBeFocused();
    for (const button of ['Close', 'More options', 'Back to your tickets']) {
      await keyboard.press('Shift+Tab');
      await expect(widget.app.getByRole('button', { name: button })).toBeFocused();
    }
    await keyboard.press('Enter');
    await expect(row).toBeFocused();
    await keyboard.press('Enter');
    await expect(widget.reply).toBeFocused();
  });

  await keyboard.press('Escape');
  await expect(widget.launcher).toBeFocused();
  await keyboard.press('Enter');
  await expect(widget.reply).toBeFocused();
});
