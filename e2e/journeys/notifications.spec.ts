import type { Page } from '@playwright/test';
import { expect, newEmail, test } from '../support/fixtures.ts';
import type { Stack } from '../support/stack.ts';

type Said = { type: string; height?: number; count?: number; version?: string };

/** A host page with the app's frame and nothing else: the test does the loader's part. */
class BareHost {
  readonly page: Page;
  private readonly stack: Stack;

  constructor(page: Page, stack: Stack) {
    this.page = page;
    this.stack = stack;
  }

  async open(more: object = {}): Promise<void> {
    const { origin } = this.stack.host;
    const settings = encodeURIComponent(JSON.stringify({ origin, ...more }));
    await this.page.route('**/widget.js', (route) => route.abort());
    await this.page.goto(origin);
    await this.page.evaluate((src) => {
      const said: unknown[] = [];
      Object.assign(globalThis, { said });
      addEventListener('message', ({ data }) => said.push(data));
      const frame = document.createElement('iframe');
      frame.width = '320';
      frame.height = '480';
      frame.src = src;
      document.body.append(frame);
    }, `${this.stack.bffUrl}/frame?lang=en#${settings}`);
    await expect.poll(() => this.said('ready')).toHaveLength(1);
  }

  get app() {
    return this.page.frameLocator('iframe');
  }

  get preview() {
    return this.app.getByRole('region', { name: 'Acme' });
  }

  said = (type: string): Promise<Said[]> =>
    this.page.evaluate(
      (name) => (globalThis as unknown as { said: Said[] }).said.filter((each) => each.type === name),
      type,
    );

  async post(message: object): Promise<void> {
    await this.page.evaluate(
      ([value, target]) =>
        document.querySelector('iframe')!.contentWindow!.postMessage(value, target as string),
      [message, this.stack.bffUrl],
    );
  }

  /** The customer opens a ticket and closes the panel. */
  async openTicket(subject: string): Promise<void> {
    await this.post({ type: 'open' });
    await this.app.getByLabel('Email').fill(newEmail());
    // The subject is made from the first line.
    await this.app.getByRole('textbox', { name: 'Message' }).fill(`${subject}\nThe lid is chipped.`);
    await this.app.getByRole('button', { name: 'Send', exact: true }).click();
    await this.app.getByRole('log').getByText('Sent', { exact: true }).waitFor();
    await this.post({ type: 'closed' });
  }
}

const withHost = test.extend<{ host: BareHost; subject: string }>({
  host: async ({ page, stack }, use) => {
    const host = new BareHost(page, stack);
    await host.open();
    await use(host);
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  subject: async ({}, use) => use(`Preview ${crypto.randomUUID().slice(0, 8)}`),
});

withHost(
  'an answer to a closed panel shows over the launcher, and opens its conversation',
  async ({ host, subject, desk }) => {
    await host.openTicket(subject);
    await desk.openTicket(subject);
    await desk.answer('It is on its way.\nIt should reach you tomorrow, <b>before noon</b>.');
    const answer = host.preview.getByRole('button', { name: /It is on its way/ });
    await expect(answer).toContainText('<b>before noon</b>');
    await expect(host.app.getByRole('status').filter({ hasText: `New reply in ${subject}` })).toHaveCount(1);
    const [first] = await host.said('preview');
    expect(first!.height).toBeGreaterThan(60);
    expect(first!.height).toBeLessThan(180);
    expect(JSON.stringify(await host.page.evaluate('said'))).not.toContain('on its way');
    await answer.click();
    await expect.poll(() => host.said('open')).toHaveLength(1);
    await host.post({ type: 'open' });
    await expect(host.app.getByRole('log').getByText('It is on its way.')).toBeVisible();
    await expect(host.preview).toHaveCount(0);
    expect((await host.said('preview')).at(-1)!.height).toBe(0);
    await expect.poll(async () => (await host.said('unread')).at(-1)?.count).toBe(0);
  },
);

withHost(
  'a closed preview stays closed, also on the next page, and the next answer is shown',
  async ({ host, subject, desk }) => {
    await host.openTicket(subject);
    await desk.openTicket(subject);
    await desk.answer('One.');
    await host.preview.getByRole('button', { name: 'Close' }).click();
    await expect(host.preview).toHaveCount(0);
    await host.open();
    await expect.poll(async () => (await host.said('unread')).at(-1)?.count).toBe(1);
    await desk.answer('Two.');
    await expect(host.preview.getByText('Two.')).toBeVisible();
    expect(await host.said('preview')).not.toContainEqual({ type: 'preview', height: 0 });
  },
);

withHost(
  'one of two windows shows the preview, and removes it when the other has read the answer',
  async ({ host, stack, subject, desk }) => {
    await host.openTicket(subject);
    const other = new BareHost(await host.page.context().newPage(), stack);
    await other.open();
    await expect.poll(async () => (await other.said('unread')).length).toBeGreaterThan(0);
    await desk.openTicket(subject);
    await desk.answer('It is on its way.');
    await expect(other.preview.getByText('It is on its way.')).toBeVisible();
    await expect(host.preview).toHaveCount(0);
    await host.post({ type: 'open' });
    await expect(host.app.getByRole('log').getByText('It is on its way.')).toBeVisible();
    await expect(other.preview).toHaveCount(0);
  },
);

withHost('says what it finds out about itself', async ({ host, subject }) => {
  await host.openTicket(subject);
  // The stream may have yet to begin when it is asked first.
  const ask = async () => {
    await host.post({ type: 'diagnose' });
    return (await host.said('diagnosis')).at(-1);
  };
  await expect
    .poll(ask)
    .toEqual({ type: 'diagnosis', diagnosis: { storage: true, api: 'ok', live: 'stream' } });
  const [ready] = await host.said('ready');
  expect(ready!.version).toMatch(/^\d+\.\d+\.\d+/);
});

withHost(
  'an answer plays a sound if the site asks for it, once the customer has acted',
  async ({ host, subject, desk }) => {
    const audio = await host.page.context().newCDPSession(host.page);
    const notes: string[] = [];
    const states: string[] = [];
    audio.on('WebAudio.audioNodeCreated', ({ node }) => notes.push(node.nodeType.toLowerCase()));
    audio.on('WebAudio.contextChanged', ({ context }) => states.push(context.contextState));
    await audio.send('WebAudio.enable');
    await host.open({ sound: true });
    await host.openTicket(subject);
    expect(notes).not.toContain('oscillator');
    await desk.openTicket(subject);
    await desk.answer('It is on its way.');
    await expect.poll(() => notes.filter((type) => type === 'oscillator').length).toBe(2);
    // Played to its end, the device is given back.
    await expect.poll(() => states.slice(-2)).toEqual(['running', 'suspended']);
  },
);
