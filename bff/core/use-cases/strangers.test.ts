import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { usualLimits } from '../../testing/operator/limits.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';

const seeded = { name: 'Seeded Name Wuxonil', company: 'Seeded Company Tjorvaq' };

let bff: TestBff;
let streams: TestStreams;
beforeEach(async () => {
  bff = await startBff();
  streams = await startStreams(bff);
});
afterEach(() => bff.stop());

/** Everything that a visitor who types this address can see, with ids, times and tokens masked. */
async function visit(browser: TestBrowser, customer_email: string): Promise<string> {
  const answers = [await browser.openTicket({ customer_email, customer_name: 'Typed' })];
  const { id } = answers[0]!.data as { id: string };
  answers.push(await browser.post(paths.messages(id), { body: 'And one more thing' }));
  answers.push(await browser.get(paths.ticket(id)));
  answers.push(await browser.get(paths.tickets));
  answers.push(await browser.get(paths.session));
  answers.push(await browser.openTicket({ customer_email: '' }));
  answers.push(await browser.request('POST', accountPaths.code, { email: customer_email }));
  const all = answers.map(({ status, headers, text }) =>
    JSON.stringify([status, [...headers].filter(([name]) => name !== 'x-request-id'), text]),
  );
  return all
    .join('\n')
    .replaceAll(customer_email, 'ADDRESS')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'ID')
    .replace(/s1_[\w-]{43}/g, 'TOKEN')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/(ticket_number\\?":)\d+/g, '$1NUMBER')
    .replace(/;t=\d+/g, ';t=SECONDS');
}

/** The service's data about a customer, in its record and in one of their tickets. */
function seed(email: string) {
  const customer = { email, name: seeded.name, company: seeded.company };
  const { id } = bff.service.addTicket({ customer, subject: 'Seeded subject Kvoxlim' });
  bff.service.addMessage(id, 'customer', 'Seeded words Pyzmorg');
}

it('a known and an unknown address get the same answers, 40 times [isolation-7]', async () => {
  for (let pair = 0; pair < 40; pair += 1) {
    const known = `known-${randomUUID().slice(0, 8)}@example.com`;
    seed(known);
    const unknown = known.replace('known', 'fresh');
    expect(await visit(bff.browser(), known)).toBe(await visit(bff.browser(), unknown));
  }
});

it('nothing that the service knows of an address is in any answer, event or log line [isolation-8]', async () => {
  const email = 'ada@example.com';
  seed(email);
  const customer = { email, name: seeded.name, company: seeded.company };
  bff.service.answer = ({ method, path, body }) => {
    if (method !== 'POST' || path.endsWith('/messages')) return undefined;
    const { messages, customer: _, ...fields } = bff.service.addTicket({ ...body, customer });
    return { statusCode: 201, data: JSON.stringify({ data: fields }) };
  };
  const browser = bff.browser();
  const { data: ticket } = await browser.openTicket({ customer_name: 'Typed' });
  const stream = await streams.listen(browser.cookie, ticket.id);
  const texts = [await visit(browser, email)];
  bff.service.addMessage(ticket.id, 'customer', 'Seeded words Pyzmorg');
  bff.service.addMessage(ticket.id, 'agent', 'We are on it');
  await until(() => expect(JSON.stringify(stream.seen)).toContain('We are on it'));
  texts.push((await browser.get(paths.ticket(ticket.id))).text, JSON.stringify(stream.seen), ...bff.logLines);
  expect(bff.service.calls.length).toBeGreaterThan(3);
  for (const text of texts) expect(text).not.toMatch(/Seeded|Wuxonil|Tjorvaq|Pyzmorg|Kvoxlim|customer_id/);
  const logs = bff.logLines.join('\n');
  expect(logs).not.toMatch(/ada@example\.com|Typed|And one more thing/);
});

describe('with one victim and a thousand sources', () => {
  it('at most thirty tickets a day reach the service under an address that nobody has proven [overload-1]', async () => {
    await bff.stop();
    bff = await startBff({ limits: usualLimits });
    const statuses: number[] = [];
    for (let source = 0; source < 1_000; source += 1)
      statuses.push((await bff.browser().openTicket({ customer_email: 'Victim@example.com' })).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(970);
    expect(bff.service.writes()).toHaveLength(30);
    expect((await bff.browser().openTicket({ customer_email: 'VICTIM@EXAMPLE.COM' })).status).toBe(429);
    const spellings = [
      'victim+1@example.com',
      'victim@ｅxample.com',
      'victim+@EXAMPLE.com',
      'ｖictim@example.com',
    ];
    const pasted = ['<victim@example.com', 'victim@exa\u00admple.com', 'victim\u200b@example.com'];
    for (const spelling of [...spellings, ...pasted])
      expect((await bff.browser().openTicket({ customer_email: spelling })).status).toBe(429);
    expect((await bff.browser().openTicket({ customer_email: 'other@example.com' })).status).toBe(201);
  });
});

it('a stranger does not find a conversation that its holder has just read, however they ask', async () => {
  const [ada, eve] = [bff.browser(), bff.browser()];
  const { data: ticket } = await ada.openTicket();
  await eve.openTicket();
  const ask = async (browser: TestBrowser) => (await browser.get(paths.ticket(ticket.id))).status;
  expect(await ask(ada)).toBe(200);
  const reads = bff.service.calls.length;
  expect([await ask(ada), await ask(eve)]).toEqual([200, 404]);
  expect((await eve.get(`${paths.ticket(ticket.id)}?before=`)).status).toBe(404);
  expect(bff.service.calls.length).toBe(reads);
});
