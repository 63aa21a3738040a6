import type { BrowserContext, Page, Request } from '@playwright/test';
import { paths } from '../../shared/contract/paths.ts';
import { expectSentOnce, frameOf, ticketsAtService } from '../support/at-service.ts';
import { expect, newEmail } from '../support/fixtures.ts';
import { test } from '../support/fronted.ts';
import { Widget } from '../support/pages/widget.ts';

/** A subject that no other test uses, and a text. */
const newTicket = () => ({
  subject: `Once ${crypto.randomUUID().slice(0, 8)}`,
  description: 'The lid is chipped.',
});

/** Fills in the form and presses Send; returns while it is on its way. */
async function beginTicket(widget: Widget, text: ReturnType<typeof newTicket>): Promise<void> {
  await widget.open();
  await widget.write({ email: newEmail(), ...text });
  await widget.send.click();
  await widget.conversation.getByText('Sending…').waitFor();
}

/** Opens a ticket and, once the service has it, begins a reply to it. */
async function beginReply(widget: Widget, text: ReturnType<typeof newTicket>, pause: () => void) {
  await widget.open();
  await widget.openTicket({ email: newEmail(), ...text });
  pause();
  await widget.answer('And a reply.');
  await widget.conversation.getByText('Sending…').waitFor();
}

/** Writes leave the page, and reach the BFF only once `release` is called. */
async function pausePosts(context: BrowserContext, path: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const keys: (string | undefined)[] = [];
  await context.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    await released;
    // The page that asked may be gone.
    await route.continue().catch(() => {});
  });
  return { keys, release };
}

/** Does what the page asked, from elsewhere: neither the answer nor its cookie comes to the browser. */
async function carryOut(context: BrowserContext, request: Request) {
  const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`);
  const headers = { ...request.headers(), 'sec-fetch-site': 'same-origin', cookie: cookies.join('; ') };
  return fetch(request.url(), { method: 'POST', headers, body: request.postData() });
}

const ticketPosts = `**${paths.tickets}`;
const replyPosts = `**${paths.tickets}/*/messages`;

test('Enter pressed twice sends once, in the form and in a conversation', async ({ page, stack, widget }) => {
  const text = newTicket();
  const paused = stack.front.pauseWrites('after');
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.write({ email: newEmail(), ...text });
  await widget.subject.focus();
  await page.keyboard.down('Enter');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await paused.arrived;
  paused.release();
  await expectSentOnce(widget, stack, text);
  await widget.reply.fill('And a reply.');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expectSentOnce(widget, stack, { ...text, replies: ['And a reply.'] });
});

test('a form that is submitted twice in one turn sends once', async ({ page, stack, widget }) => {
  const text = newTicket();
  const submitTwice = (form: HTMLElement) => {
    (form as HTMLFormElement).requestSubmit();
    (form as HTMLFormElement).requestSubmit();
  };
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.write({ email: newEmail(), ...text });
  await widget.app.locator('form').evaluate(submitTwice);
  await expectSentOnce(widget, stack, text);
  await widget.reply.fill('And a reply.');
  await widget.app.locator('form').evaluate(submitTwice);
  await expectSentOnce(widget, stack, { ...text, replies: ['And a reply.'] });
});

test('a tab that is opened while another one sends shows the message, and does not send it', async ({
  page,
  context,
  stack,
  widget,
}) => {
  const text = newTicket();
  const paused = await pausePosts(context, ticketPosts);
  await page.goto(stack.host.origin);
  await beginTicket(widget, text);
  const second = new Widget(await context.newPage());
  await second.page.goto(stack.host.origin);
  await second.openConversation(text.subject);
  await expect(second.conversation.getByText(text.description)).toBeVisible();
  paused.release();
  await expectSentOnce(second, stack, text);
  await page.bringToFront();
  await expectSentOnce(widget, stack, text);
  // One tab's store shows another's writes only after a while: it may ask again, under the same key.
  expect(new Set(paused.keys).size).toBe(1);
});

test('a tab that is closed during a send leaves the message to the other tab', async ({
  page,
  context,
  stack,
  widget,
}) => {
  const text = newTicket();
  const reply = { ...text, replies: ['And a reply.'] };
  await page.goto(stack.host.origin);
  const paused = await pausePosts(context, replyPosts);
  await beginReply(widget, text, () => {});
  const second = new Widget(await context.newPage());
  await second.page.goto(stack.host.origin);
  await second.openConversation(text.subject);
  await expect(second.conversation.getByText('And a reply.')).toBeVisible();
  await page.close();
  paused.release();
  await expectSentOnce(second, stack, reply);
  expect(new Set(paused.keys).size).toBe(1);
});

/** Ways in which a customer's page goes away while it sends, and comes back. */
const departures: Record<string, (page: Page, origin: string) => Promise<Page>> = {
  'a reload': async (page) => {
    await page.reload();
    return page;
  },
  'a closed tab': async (page, origin) => {
    const context = page.context();
    await page.close();
    const next = await context.newPage();
    await next.goto(origin);
    return next;
  },
  'another page, and back by history': async (page) => {
    await page.getByRole('link', { name: 'Second page' }).click();
    await page.waitForURL('**/second');
    await page.goBack();
    return page;
  },
  'back and forward': async (page, origin) => {
    await page.goBack();
    await page.goForward();
    await page.waitForURL(`${origin}/`);
    return page;
  },
};

const moments = ['on the way', 'before', 'after', 'a reply'] as const;

for (const [nth, [name, depart]] of Object.entries(departures).entries()) {
  /** Each way to leave and each moment come once in `npm test`; `npm run test:slow` has the others. */
  const tagOf = (moment: (typeof moments)[number]) => ({ tag: moments[nth] === moment ? [] : '@slow' });

  test(
    `${name} while the first ticket is on its way to us: sent once`,
    tagOf('on the way'),
    async ({ page, context, stack, widget }) => {
      const text = newTicket();
      await page.goto(`${stack.host.origin}/second`);
      await page.goto(stack.host.origin);
      const paused = await pausePosts(context, ticketPosts);
      await beginTicket(widget, text);
      const back = new Widget(await depart(page, stack.host.origin));
      paused.release();
      await back.openConversation(text.subject);
      await expectSentOnce(back, stack, text);
    },
  );

  for (const when of ['before', 'after'] as const) {
    test(
      `${name} just ${when} the service has the first ticket: sent once`,
      tagOf(when),
      async ({ page, stack, widget }) => {
        const text = newTicket();
        await page.goto(`${stack.host.origin}/second`);
        await page.goto(stack.host.origin);
        const paused = stack.front.pauseWrites(when);
        await beginTicket(widget, text);
        await paused.arrived;
        const back = new Widget(await depart(page, stack.host.origin));
        await back.openConversation(text.subject);
        paused.release();
        await expectSentOnce(back, stack, text);
      },
    );
  }

  test(
    `${name} while the service processes a reply: sent once`,
    tagOf('a reply'),
    async ({ page, stack, widget }) => {
      const text = newTicket();
      await page.goto(`${stack.host.origin}/second`);
      await page.goto(stack.host.origin);
      let paused: ReturnType<typeof stack.front.pauseWrites>;
      await beginReply(widget, text, () => (paused = stack.front.pauseWrites('after')));
      await paused!.arrived;
      const back = new Widget(await depart(page, stack.host.origin));
      await back.openConversation(text.subject);
      paused!.release();
      await expectSentOnce(back, stack, { ...text, replies: ['And a reply.'] });
    },
  );
}

test('a ticket sent offline is shown as waiting, and sent once when the browser is online again', async ({
  page,
  context,
  stack,
  widget,
}) => {
  const text = newTicket();
  await page.goto(stack.host.origin);
  await widget.open();
  await context.setOffline(true);
  await widget.write({ email: newEmail(), ...text });
  await widget.send.click();
  await expect(widget.app.getByText('You’re offline. We’ll send it when you’re back.')).toBeVisible();
  await expect(widget.conversation.getByText('Waiting to be delivered')).toBeVisible();
  expect(await ticketsAtService(stack, text.subject)).toEqual([]);
  await context.setOffline(false);
  await expectSentOnce(widget, stack, text);
  await context.setOffline(true);
  await widget.answer('One.');
  await widget.answer('Two.');
  await expect(widget.conversation.getByText('Two.')).toBeVisible();
  await context.setOffline(false);
  await expectSentOnce(widget, stack, { ...text, replies: ['One.', 'Two.'] });
});

test('a first ticket sent offline on a page that was closed is sent from the next page, with its panel closed', async ({
  page,
  context,
  stack,
  widget,
}) => {
  const text = newTicket();
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.write({ email: newEmail(), ...text });
  await context.setOffline(true);
  await widget.send.click();
  await expect(widget.conversation.getByText('Waiting to be delivered')).toBeVisible();
  await page.close();
  await context.setOffline(false);
  await (await context.newPage()).goto(stack.host.origin);
  await expect.poll(() => ticketsAtService(stack, text.subject)).toHaveLength(1);
});

test('a draft that is sent in another tab cannot be sent again', async ({ page, context, stack, widget }) => {
  const text = newTicket();
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.write({ email: newEmail(), ...text });
  const second = new Widget(await context.newPage());
  await second.page.goto(stack.host.origin);
  await second.open();
  await expect(second.description).toHaveValue(text.description);
  await second.send.click();
  await expectSentOnce(second, stack, text);
  await expect(widget.description).toHaveValue('');
  await page.reload();
  await widget.openConversation(text.subject);
  await second.reply.fill('And a reply.');
  await expect(widget.reply).toHaveValue('And a reply.');
  await page.bringToFront();
  await widget.sendReply.click();
  await expect(second.reply).toHaveValue('');
  await expectSentOnce(second, stack, { ...text, replies: ['And a reply.'] });
});

test('a ticket whose answer from the BFF is lost is sent once, under the same key', async ({
  page,
  context,
  stack,
  widget,
}) => {
  const text = newTicket();
  const posted: { path: string; key: string }[] = [];
  page.on('request', (request) => {
    const key = request.headers()['idempotency-key'];
    if (key) posted.push({ path: new URL(request.url()).pathname, key });
  });
  const loseOneAnswer = (path: string) =>
    context.route(
      path,
      async (route) => {
        expect((await carryOut(context, route.request())).status).toBe(201);
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
  await page.goto(stack.host.origin);
  await widget.open();
  await loseOneAnswer(ticketPosts);
  await widget.write({ email: newEmail(), ...text });
  await widget.send.click();
  await expectSentOnce(widget, stack, text);
  expect(posted).toEqual([posted[0], posted[0]]);
  await loseOneAnswer(replyPosts);
  await widget.answer('And a reply.');
  // The stream may tell of it before it is tried again.
  await expectSentOnce(widget, stack, { ...text, replies: ['And a reply.'] });
  expect(new Set(posted.map(({ key }) => key)).size).toBe(2);
});

test('our server is killed just after the service has a ticket, then a reply: sent once', async ({
  page,
  stack,
  widget,
}) => {
  const text = newTicket();
  await page.goto(stack.host.origin);
  const crash = async (paused: ReturnType<typeof stack.front.pauseWrites>) => {
    await paused.arrived;
    await stack.killBff();
    paused.release();
    await stack.restartBff();
  };
  const ticket = stack.front.pauseWrites('after');
  await beginTicket(widget, text);
  await crash(ticket);
  await expectSentOnce(widget, stack, text);
  const reply = stack.front.pauseWrites('after');
  await widget.answer('And a reply.');
  await crash(reply);
  await expectSentOnce(widget, stack, { ...text, replies: ['And a reply.'] });
});

const onlyHere = 'Keep this page open until your message is sent.';

/** Leaves no room in the browser's storage. */
const fillStorage = (widget: Widget) =>
  frameOf(widget).evaluate(() => {
    for (let size = 2 ** 23, count = 0; size >= 1;) {
      try {
        localStorage.setItem(`filler ${(count += 1)}`, 'x'.repeat(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  });

test('with storage full the customer is asked to stay while a text is only here, and it is sent', async ({
  page,
  stack,
  widget,
}) => {
  const text = newTicket();
  await page.goto(stack.host.origin);
  await widget.open();
  await fillStorage(widget);
  await page.reload();
  const paused = stack.front.pauseWrites('after');
  await beginTicket(widget, text);
  await expect(widget.app.getByText(onlyHere)).toBeVisible();
  await paused.arrived;
  paused.release();
  await expectSentOnce(widget, stack, text);
  await expect(widget.app.getByText(onlyHere)).toHaveCount(0);
  const again = stack.front.pauseWrites('after');
  await widget.answer('And a reply.');
  await expect(widget.app.getByText(onlyHere)).toBeVisible();
  await again.arrived;
  again.release();
  await expectSentOnce(widget, stack, { ...text, replies: ['And a reply.'] });
  await expect(widget.app.getByText(onlyHere)).toHaveCount(0);
});
