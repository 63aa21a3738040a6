import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { ok, runChecks } from '../../core/operator/check.ts';
import { startBff, testSecretKey } from '../../testing/bff.ts';
import { serveHandler, stopServing } from '../../testing/operator/checks.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';
import { ratingChecks } from './checks.ts';
import { openAnswered, rate } from './testing/rated.ts';

const required = {
  SUPPORT_API_URL: 'https://tickets.test',
  SUPPORT_API_KEY: 'key',
  ALLOWED_ORIGINS: 'https://shop.test',
};

it('ratings prints count, share solved, average, distribution and the newest words', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ratings-'));
  const bff = await startBff({ dataDir, values: { RATINGS: 'on' } });
  const said = [
    { solved: true, score: 5, word: 'Quick\nand \u202efriendly' },
    { solved: true, score: 4 },
    { solved: false },
    { score: 2 },
  ];
  const ids: string[] = [];
  for (const rating of said) {
    const { browser, id } = await openAnswered(bff);
    await rate(browser, id, rating);
    ids.push(id);
  }
  await bff.stop();
  const env = { ...required, SECRET_KEY: testSecretKey, DATA_DIR: dataDir };
  const { code, stdout } = await runTestCommand(['ratings'], env);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^4 ratings in the last 30 days\nsolved: 2 of 3 \(67 %\)\naverage: 3\.7 of 5\n {2}1 +0 {2}0 %\n/,
  );
  expect(stdout).toContain(`${ids[0]}  score 5, solved\n  Quick and friendly\n`);
  expect(JSON.parse((await runTestCommand(['ratings', '--json'], env)).stdout)).toMatchObject({
    count: 4,
    solved: { yes: 2, no: 1 },
    average: 3.67,
    scores: { 1: 0, 2: 1, 3: 0, 4: 1, 5: 1 },
    words: [{ ticket_id: ids[0], score: 5, solved: true }],
    not_delivered: 0,
  });
  expect(await runTestCommand(['ratings', '--since', 'yesterday'], env)).toMatchObject({ code: 2 });
});

async function check(RATING_HOOK: string) {
  const context = {
    env: {},
    config: () => ({ ...parseConfig(required), values: { RATING_HOOK } }),
    now: Date.now,
    patienceMs: 60_000,
    mailTo: null,
    site: null,
    build: { version: '', widgetDir: '' },
  };
  const configuration = { name: 'configuration', needs: [], fix: '', run: () => ok('valid') };
  return (await runChecks([configuration, ...ratingChecks(context)])).at(-1)!.level;
}

it('the check finds a hook that cannot be reached or has errors of its own', async () => {
  const serving = (status: number) => serveHandler((_, response) => response.writeHead(status).end());
  expect(await check(await serving(405))).toBe('ok');
  expect(await check(await serving(503))).toBe('warn');
  expect(await check('http://127.0.0.1:1/')).toBe('fail');
  await stopServing();
});

it.each([
  [{ RATINGS: 'on', RATING_HOOK: 'http://example.com/hook' }, 'RATING_HOOK: must be an https URL'],
  [{ RATING_HOOK: 'https://example.com/hook' }, 'RATINGS: must be on with RATING_HOOK'],
  [{ RATINGS: 'on', RATING_HOOK_SECRET: 'sixteen letters or' }, 'RATING_HOOK: is required'],
])('the settings %j are refused', (env, error) =>
  expect(() => parseConfig({ ...required, ...env })).toThrow(error),
);

it('a hook with a query is accepted', () => {
  const env = { RATINGS: 'on', RATING_HOOK: 'https://example.com/hook?sig=x%20y' };
  expect(parseConfig({ ...required, ...env }).values).toMatchObject(env);
});
