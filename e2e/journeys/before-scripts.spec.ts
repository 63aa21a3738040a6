import { signInAgent } from '../support/agent.ts';
import { expectSentOnce, frameOf } from '../support/at-service.ts';
import { expect, newEmail, test } from '../support/fixtures.ts';
import { delayScripts } from '../support/delay-scripts.ts';

/** The subject is made from the first line. */
function ticket() {
  const subject = `Early ${crypto.randomUUID().slice(0, 8)}`;
  return { email: newEmail(), subject, description: `${subject}\nThe lid is chipped.` };
}
const typed = ({ email, description }: ReturnType<typeof ticket>) => ({ email, description });

test('text typed and a file dropped before any script is loaded stay, the focus too, and the text is sent once', async ({
  page,
  stack,
  widget,
}) => {
  const release = await delayScripts(page, /\/assets\/(app|conversation)-/);
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  const text = ticket();
  await widget.write(typed(text));
  await widget.description.press('ControlOrMeta+End');
  const isNavigating = await widget.description.evaluate((field) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['A photo'], 'lid.jpg'));
    return field.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  });
  expect(isNavigating).toBe(false);
  release();
  await expect(widget.app.getByRole('button', { name: 'Close' })).toBeVisible();
  const removeFile = widget.app.getByRole('button', { name: 'Remove lid.jpg' });
  await expect(removeFile).toBeVisible();
  await expect(widget.description).toBeFocused();
  await widget.description.pressSequentially(' So is the box.');
  await expect(widget.email).toHaveValue(text.email);
  await removeFile.click();
  await widget.send.click();
  await expectSentOnce(widget, stack, {
    subject: text.subject,
    description: `${text.description} So is the box.`,
  });
});

test('a ticket submitted before any script is loaded is sent once the app is loaded', async ({
  page,
  stack,
  widget,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy|Refused/i.test(message.text())) violations.push(message.text());
  });
  const release = await delayScripts(page, /\/assets\/(app|conversation)-/);
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  const text = ticket();
  await widget.write(typed(text));
  await widget.send.click();
  release();
  await expectSentOnce(widget, stack, { subject: text.subject, description: text.description });
  expect(violations).toEqual([]);
});

test('a ticket submitted without the script of the conversation is sent, and shows once that is loaded', async ({
  page,
  stack,
  widget,
}) => {
  const release = await delayScripts(page, /\/assets\/conversation-/);
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  const text = ticket();
  await widget.write(typed(text));
  const sent = page.waitForResponse((response) => response.request().method() === 'POST');
  await widget.send.click();
  expect((await sent).status()).toBe(201);
  release();
  await expectSentOnce(widget, stack, { subject: text.subject, description: text.description });
});

test('a new customer opens a ticket, gets an answer and replies without any script but those of a first conversation', async ({
  page,
  stack,
  widget,
}) => {
  await page.route(/\/assets\/(?!app-|conversation-|stream-|deferred-)/, (route) => route.abort());
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  const text = ticket();
  await widget.openTicket(typed(text));
  await (await signInAgent(stack)).answer(text.subject, 'Which lid is it?');
  await expect(widget.conversation.getByText('Which lid is it?')).toBeVisible();
  await widget.answer('The blue one.');
  await expectSentOnce(widget, stack, {
    subject: text.subject,
    description: text.description,
    replies: ['Which lid is it?', 'The blue one.'],
  });
});

test('a customer with tickets fetches all scripts of the first view without waiting for the first of them', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  await widget.openTicket(typed(ticket()));
  await widget.launcher.click();
  const release = await delayScripts(page, /\/assets\/app-/);
  await page.reload();
  const asked = Promise.all(
    ['conversation', 'returning'].map((name) =>
      page.waitForRequest((request) => request.url().includes(`/assets/${name}-`)),
    ),
  );
  await widget.launcher.click();
  await asked;
  release();
  await expect(widget.tickets).toBeVisible();
});

test('a customer with tickets sees no form while the scripts are loading', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  await widget.openTicket(typed(ticket()));
  await widget.launcher.click();
  const release = await delayScripts(page, /\/assets\/(app|conversation)-/);
  await page.reload();
  await widget.launcher.click();
  await expect.poll(() => page.frames().length).toBe(2);
  await frameOf(widget).waitForFunction(() => document.getElementById('sentences') !== null);
  await expect(widget.send).toHaveCount(0);
  release();
  await expect(widget.tickets).toBeVisible();
});
