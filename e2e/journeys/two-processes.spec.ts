import { fileNameHeader, filesPath } from '../../shared/contract/files.ts';
import { gateHeader, idempotencyHeader, paths } from '../../shared/contract/paths.ts';
import { ticketsAtService } from '../support/at-service.ts';
import { expect, newEmail } from '../support/fixtures.ts';
import { type FrontedStack, startFrontedStack, test as base } from '../support/fronted.ts';
import type { Running } from '../../scripts/processes.ts';

interface Pair {
  stack: FrontedStack;
  /** The addresses of two BFFs on one store. */
  urls: [string, string];
  second: Running;
}

const test = base.extend<{ pair: Pair }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  pair: async ({}, use) => {
    const stack = await startFrontedStack();
    const { url, bff } = await stack.startSecondBff();
    await use({ stack, urls: [stack.bffUrl, url], second: bff });
    await stack.stop();
  },
});

const newTicket = (subject = `Two ${crypto.randomUUID().slice(0, 8)}`) => ({
  subject,
  description: 'The lid is chipped.',
  customer_email: newEmail(),
});

/** One browser, as each of the processes sees it. */
function createBrowser() {
  let cookie = '';
  async function call(method: string, url: string, body?: object, key = '') {
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/json',
      Cookie: cookie,
      [gateHeader]: '1',
      [idempotencyHeader]: key,
    };
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return { status: response.status, data: (await response.json()).data };
  }
  return {
    get: (url: string) => call('GET', url),
    /** Uploads a file, and returns its id. */
    async upload(url: string, name: string, text: string): Promise<string> {
      const headers = {
        'Sec-Fetch-Site': 'same-origin',
        Cookie: cookie,
        [gateHeader]: '1',
        [idempotencyHeader]: crypto.randomUUID(),
        [fileNameHeader]: name,
      };
      const response = await fetch(url + filesPath, { method: 'POST', headers, body: text });
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return (await response.json()).data.id;
    },
    /** Repeats it until its outcome is known, as the app does: a busy machine may take longer than an answer waits. */
    async post(url: string, key: string, body: object) {
      let answer = await call('POST', url, body, key);
      const isDone = async () =>
        answer.status !== 202 || (answer = await call('POST', url, body, key)).status !== 202;
      await expect.poll(isDone, { timeout: 60_000 }).toBe(true);
      return answer;
    },
  };
}

test('the same tickets and replies posted to two processes at once are each sent once, with one answer', async ({
  pair: { stack, urls },
}) => {
  for (let round = 0; round < 5; round += 1) {
    const ticket = newTicket();
    const key = crypto.randomUUID();
    // No session yet: each process takes it for a new customer's.
    const answers = await Promise.all(
      urls.map((url) => createBrowser().post(url + paths.tickets, key, ticket)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]!.data.id).toEqual(expect.any(String));
    expect(answers[1]!.data).toEqual(answers[0]!.data);
    expect(await ticketsAtService(stack, ticket.subject)).toHaveLength(1);
  }
  const browser = createBrowser();
  const ticket = newTicket();
  const { data } = await browser.post(urls[0] + paths.tickets, crypto.randomUUID(), ticket);
  const replies = Array.from({ length: 10 }, (_, index) => `Reply ${index}`);
  const pairs = await Promise.all(
    replies.map((body) => {
      const key = crypto.randomUUID();
      return Promise.all(urls.map((url) => browser.post(url + paths.messages(data.id), key, { body })));
    }),
  );
  for (const [first, second] of pairs) {
    expect([first!.status, second!.status]).toEqual([201, 201]);
    expect(second!.data).toEqual(first!.data);
  }
  const [stored] = await ticketsAtService(stack, ticket.subject);
  expect(stored!.replies.toSorted()).toEqual(replies.toSorted());
});

test('a file that one process has taken goes out with a ticket to the other one, and both open its link', async ({
  pair: { stack, urls },
}) => {
  const browser = createBrowser();
  const files = [await browser.upload(urls[0], 'lid.txt', 'The lid is chipped.')];
  const ticket = { ...newTicket(), files };
  const { status, data } = await browser.post(urls[1] + paths.tickets, crypto.randomUUID(), ticket);
  expect(status).toBe(201);
  const [stored] = await ticketsAtService(stack, ticket.subject);
  const link = new URL(/https?:\S+\/f\/\S+/.exec(stored!.description)![0]).pathname;
  for (const url of urls) {
    expect(await (await fetch(url + link)).text()).toBe('The lid is chipped.');
    const { messages } = (await browser.get(url + paths.ticket(data.id))).data;
    expect(messages[0].files).toMatchObject([{ name: 'lid.txt' }]);
  }
});

for (const when of ['before', 'after'] as const) {
  test(
    `a process that is killed just ${when} the service has a ticket: the other one finishes it, once`,
    { tag: when === 'before' ? '@slow' : [] },
    async ({ pair: { stack, urls, second } }) => {
      test.setTimeout(120_000);
      const browser = createBrowser();
      await browser.post(urls[0] + paths.tickets, crypto.randomUUID(), newTicket());
      const ticket = newTicket();
      const key = crypto.randomUUID();
      const paused = stack.front.pauseWrites(when);
      const cutOff = browser.post(urls[1] + paths.tickets, key, ticket).catch(() => 'cut off');
      await paused.arrived;
      second.child.kill('SIGKILL');
      expect(await cutOff).toBe('cut off');
      paused.release();
      // As the app does when its connection breaks.
      const finished = await browser.post(urls[0] + paths.tickets, key, ticket);
      expect(finished.status).toBe(201);
      const { data } = await browser.get(urls[0] + paths.operation(key));
      expect(data).toMatchObject({ state: 'done', ticket_id: finished.data.id });
      const repeated = await browser.post(urls[0] + paths.tickets, key, ticket);
      expect(repeated).toMatchObject({ status: 201, data: { id: finished.data.id } });
      expect(await ticketsAtService(stack, ticket.subject)).toHaveLength(1);
    },
  );
}
