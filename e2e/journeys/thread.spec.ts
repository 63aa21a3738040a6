import type { Page } from '@playwright/test';
import { expect, newEmail, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

/** Everything that is announced to a screen reader from now on. */
async function collectAnnouncements(page: Page) {
  await page.evaluate(() => {
    const announced: string[] = [];
    const polite = 'output, [role=status], [role=log], [role=alert], [aria-live]';
    new MutationObserver((changes) => {
      const regions = changes.flatMap(({ target }) => {
        const element = target instanceof Element ? target : target.parentElement;
        return element?.closest(polite) ?? [];
      });
      for (const region of new Set(regions))
        if (region.getAttribute('aria-live') !== 'off' && region.textContent)
          announced.push(region.textContent);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { announced });
  });
  return () => page.evaluate(() => (window as unknown as { announced: string[] }).announced);
}

test('a conversation exposes author, text and time to screen readers, and announces each reply once', async ({
  page,
  stack,
  desk,
}) => {
  const full = new Widget(page, true);
  const subject = `Read out ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.bffUrl);
  await full.openTicket({ email: newEmail(), subject, description: 'Where is `order 7`?' });
  const announced = await collectAnnouncements(page);
  await desk.openTicket(subject);
  await desk.answer('Here: https://example.com/parcels');
  await expect(full.conversation.getByText('Here:')).toBeVisible();
  await expect.poll(announced).toEqual(['Acme – Here: https://example.com/parcels']);

  await expect(page.locator('main')).toMatchAriaSnapshot(`
    - main:
      - button "Back to your tickets"
      - heading "${subject}" [level=1]
      - paragraph: Acme
      - button "More options"
      - log "Conversation":
        - paragraph: today
        - paragraph: You
        - text: /${subject} Where is/
        - code: order 7
        - text: "? Sent"
        - paragraph:
          - text: Acme
          - time: /now|minute/
        - text: "Here:"
        - link "https://example.com/parcels"
      - status: Sent
      - textbox "Write a reply"
      - button "Send reply"
      - paragraph: /Enter to send/
  `);

  await full.answer('Thank you!');
  await expect(full.conversation.getByText('Sent', { exact: true })).toBeVisible();
  const all = await announced();
  expect(all.filter((text) => text.includes('Here:'))).toHaveLength(1);
  expect(all.at(-1)).toBe('Sent');
});

test('a customer makes the panel wider, and the next page has it so until they make it narrower', async ({
  page,
  stack,
  widget,
}) => {
  const width = async () => (await page.getByRole('dialog').boundingBox())!.width;
  const subject = `Wide ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.openTicket({ email: newEmail(), subject, description: 'Where is it?' });
  expect(await width()).toBe(400);
  await widget.choose('Make wider');
  await expect.poll(width).toBe(688);
  await expect(widget.app.getByRole('button', { name: 'Make narrower' })).toBeHidden();
  await page.reload();
  await widget.openConversation(subject);
  await expect.poll(width).toBe(688);
  await page.setViewportSize({ width: 640, height: 720 });
  await expect.poll(width).toBe(600);
  await widget.choose('Make narrower');
  await expect.poll(width).toBe(400);
});
