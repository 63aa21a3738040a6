import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { ok, runChecks } from '../../core/operator/check.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { serveHandler, stopServing } from '../../testing/operator/checks.ts';
import { statusPage, type StatusPagePart } from './extra.ts';

const incident = JSON.stringify({
  page: { url: 'https://status.acme.test' },
  status: { indicator: 'minor', description: 'Degraded' },
  incidents: [{ name: 'Payments are slow', status: 'investigating' }],
});

/** How the status page answers next. */
let answer: { status: number; body: string };
let url: string;
let bff: TestBff;
beforeEach(async () => {
  answer = { status: 200, body: incident };
  url = await serveHandler((_, outgoing) =>
    outgoing.writeHead(answer.status, { location: '/elsewhere' }).end(answer.body),
  );
  // Only `read` asks.
  bff = await startBff({ values: { STATUS_PAGE_URL: url }, notStarted: ['status-page'] });
});
afterEach(async () => {
  await bff.stop();
  await stopServing();
});

const part = () => bff.extras.get('status-page') as StatusPagePart;
const logged = () => bff.logLines.filter((line) => line.includes('status_page_not_read'));

it('an incident is a notice with a link, in the language of the document, for an hour or two', async () => {
  expect(part().site!('de')).toEqual({});
  await part().read();
  const before = bff.now();
  const [notice] = part().site!('de').notices!;
  expect(notice).toMatchObject({
    text: 'Payments are slow',
    link: { label: 'Statusseite', url: 'https://status.acme.test' },
  });
  // The hour may end in between.
  expect(notice!.until! - before).toBeGreaterThan(3_600_000);
  expect(notice!.until! - bff.now()).toBeLessThanOrEqual(7_200_000);
});

it.each([
  ['refuses', 403, incident],
  ['leads elsewhere', 301, incident],
  ['is no status page', 200, '<html>'],
  ['is too large', 200, `${incident}${' '.repeat(3_000_000)}`],
])('while the page %s nothing is shown, and the log says it once', async (_, status, body) => {
  await part().read();
  answer = { status, body };
  await part().read();
  await part().read();
  expect(part().site!('en')).toEqual({});
  expect(logged()).toHaveLength(1);
  answer = { status: 200, body: incident };
  await part().read();
  expect(part().site!('en').notices).toHaveLength(1);
});

it('a stop ends a read that is under way, and logs nothing of it', async () => {
  const silent = await serveHandler(() => {});
  const other = await startBff({ values: { STATUS_PAGE_URL: silent } });
  await other.stop();
  expect(other.logLines.join()).not.toContain('status_page_not_read');
});

const required = {
  SUPPORT_API_URL: 'https://tickets.test',
  SUPPORT_API_KEY: 'key',
  ALLOWED_ORIGINS: 'https://shop.test',
};

it.each([
  [200, incident, 'ok', 'the status page reports: Payments are slow'],
  [200, '{"status":{"indicator":"none"}}', 'ok', 'the status page reports nothing'],
  [404, incident, 'fail', 'the status page answered 404'],
  [200, '{}', 'fail', 'the answer has neither status.indicator nor page.status'],
])('the check of an answer %i %j is %s', async (status, body, level, says) => {
  answer = { status, body };
  const context = {
    env: {},
    config: () => parseConfig({ ...required, STATUS_PAGE_URL: url }),
    now: Date.now,
    patienceMs: 60_000,
    mailTo: null,
    site: null,
    build: { version: '', widgetDir: '' },
  };
  const configuration = { name: 'configuration', needs: [], fix: '', run: () => ok('valid') };
  const results = await runChecks([configuration, ...statusPage.checks!(context)]);
  expect(results.at(-1)).toMatchObject({ name: 'status-page', level, says });
});

it.each(['http://status.test/summary.json', 'https://status.test/summary.json?key=1', 'status.test'])(
  'the address %s is refused',
  (address) =>
    expect(() => parseConfig({ ...required, STATUS_PAGE_URL: address })).toThrow('STATUS_PAGE_URL: must be'),
);
