import { request as askUpstream } from 'node:http';
import { serve } from '../../scripts/serve.ts';
import { paths } from '../../shared/contract/paths.ts';
import { test as base, expect, newEmail, started } from '../support/fixtures.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** A proxy in front of the BFF, as some company networks have it: it buffers a response until its end, so a stream never arrives. */
async function startBufferingProxy() {
  let upstream = '';
  const buffered = new Set<string>();
  const { port, stop } = await serve((request, response) => {
    const { method, url = '/', headers } = request;
    const onward = askUpstream(new URL(url, upstream), { method, headers }, (answer) => {
      const pieces: Buffer[] = [];
      if (answer.headers['content-type'] === 'text/event-stream') buffered.add(url);
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => {
        response.writeHead(answer.statusCode!, answer.headers);
        response.end(Buffer.concat(pieces));
      });
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  return {
    url: `http://localhost:${port}`,
    buffered,
    use(bffUrl: string) {
      upstream = bffUrl;
    },
    stop,
  };
}

type Network = Awaited<ReturnType<typeof startBufferingProxy>>;

const test = base.extend<object, { stack: Stack; network: Network }>({
  network: [started(startBufferingProxy), { scope: 'worker' }],
  stack: [
    async ({ network }, use) => {
      const stack = await startStack({ PUBLIC_URL: network.url });
      network.use(stack.bffUrl);
      stack.host.bffUrl = network.url;
      await use(stack);
      await stack.stop();
    },
    { scope: 'worker' },
  ],
});

test(
  'behind a proxy that buffers the stream answers arrive, without a notice',
  { tag: '@slow' },
  async ({ page, stack, network, widget, desk }) => {
    test.setTimeout(90_000);
    const subject = `Held back ${crypto.randomUUID().slice(0, 8)}`;
    await page.goto(stack.host.origin);
    await widget.open();
    await widget.openTicket({ email: newEmail(), subject, description: 'The lid is chipped.' });
    await expect.poll(() => network.buffered.size).toBeGreaterThan(0);
    await desk.openTicket(subject);
    await desk.answer('It is on its way.');
    await expect(widget.conversation.getByText('It is on its way.')).toBeVisible({ timeout: 25_000 });
    await desk.answer('It is there tomorrow.');
    await expect(widget.conversation.getByText('It is there tomorrow.')).toBeVisible({ timeout: 25_000 });
    await expect(widget.app.getByText('Reconnecting…')).toBeHidden();
  },
);

test('without stream and polling the panel shows a notice, with the time of the last update', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const listed = page.waitForResponse(
    (answer) => answer.url().endsWith(paths.tickets) && answer.request().method() === 'GET',
  );
  await widget.openTicket({ email: newEmail(), subject: 'Cut off', description: 'The lid is chipped.' });
  await listed;
  await page.route(/\/api\//, (route) => route.abort());
  await expect(widget.app.getByText(/^Reconnecting… Last updated (now|\d+ minutes? ago)/)).toBeVisible({
    timeout: 30_000,
  });
  await page.unroute(/\/api\//);
  await expect(widget.app.getByText('Reconnecting…')).toBeHidden({ timeout: 30_000 });
});
