import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PageHours } from '../../../shared/contract/site.ts';
import type { Report } from '../api.ts';
import { install } from '../install.ts';
import { rememberUse } from '../used.ts';
import { app, bff, call, closePage, isOpen, launcher, openPage, settle, tag } from '../testing/page.ts';
import * as deferred from './main.ts';

let warnings: string[];
beforeEach(() => {
  openPage();
  warnings = [];
  vi.spyOn(console, 'warn').mockImplementation((text) => void warnings.push(String(text)));
});
afterEach(closePage);

const minute = 60_000;
const open: PageHours = { isOpen: true, hasArticles: true, askAgainMs: minute };
const closed = { ...open, isOpen: false };

type Answer = PageHours | null | Error | Promise<PageHours>;
/** Starts a widget that is told these hours, one after the other and then the last again. */
function startWith(whenClosed: string, ...answers: Answer[]) {
  const asked: string[] = [];
  const importHours = async (href: string) => {
    asked.push(href);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof Error) throw answer;
    return { default: await answer };
  };
  install(tag({ whenClosed }), async () => ({ start: (core) => deferred.start(core, importHours) }));
  return asked;
}

it('with “hide” the launcher is hidden while support is closed, and follows the hours', async () => {
  const asked = startWith('hide', closed, open, closed);
  await settle();
  expect(launcher().hidden).toBe(true);
  await vi.advanceTimersByTimeAsync(minute);
  expect(launcher().hidden).toBe(false);
  await vi.advanceTimersByTimeAsync(minute);
  expect(launcher().hidden).toBe(true);
  expect(new Set(asked).size).toBe(3);
  expect(asked[0]).toMatch(`${bff}/hours.js?`);
});

it('until the hours are known it is hidden, for three seconds at most', async () => {
  let answer!: (hours: PageHours) => void;
  startWith('hide', new Promise<PageHours>((resolve) => (answer = resolve)));
  await vi.advanceTimersByTimeAsync(2_999);
  expect(launcher().hidden).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(launcher().hidden).toBe(false);
  answer(closed);
  await settle();
  expect(launcher().hidden).toBe(true);
});

it.each<[string, Answer]>([
  ['there are none', null],
  ['they cannot be loaded', new TypeError('blocked')],
])('the launcher is shown, and the console says why, when %s', async (_, answer) => {
  const asked = startWith('hide', answer);
  await settle();
  expect(launcher().hidden).toBe(false);
  expect(warnings).toEqual([expect.stringContaining('needs SUPPORT_HOURS')]);
  await vi.advanceTimersByTimeAsync(20 * minute);
  expect(asked).toHaveLength(1);
});

it('who has a conversation keeps the launcher, and who has signed out does not', async () => {
  rememberUse('1');
  startWith('hide', closed);
  await settle();
  expect(launcher().hidden).toBe(false);
  rememberUse('logout');
  call('update', {});
  expect(launcher().hidden).toBe(true);
});

it('the panel opens by the command, and its launcher is there to close it', async () => {
  startWith('hide', closed);
  await settle();
  call('open');
  expect([isOpen(), launcher().hidden]).toEqual([true, false]);
  call('close');
  expect(launcher().hidden).toBe(true);
  call('show');
  expect(launcher().hidden).toBe(true);
  call('update', { whenClosed: 'show' });
  expect(launcher().hidden).toBe(false);
});

it('with “articles” the launcher stays, and the app is told', async () => {
  startWith('articles', closed);
  await settle();
  expect(launcher().hidden).toBe(false);
  call('open');
  const { say, posted } = app();
  say({ type: 'ready' });
  expect(posted.find(({ type }) => type === 'update')).toMatchObject({
    settings: { whenClosed: 'articles' },
  });
  expect(warnings).toEqual([]);
});

it('with “articles” where there are none the console says so', async () => {
  startWith('articles', { ...closed, hasArticles: false });
  await settle();
  expect(warnings).toEqual([expect.stringContaining('needs ARTICLES_DIR')]);
});

it.each(['show', 'never'])('with “%s” nothing is asked', async (whenClosed) => {
  expect(startWith(whenClosed, closed)).toEqual([]);
  await settle();
  expect(launcher().hidden).toBe(false);
});

it.each<[string, Answer, boolean | null, string]>([
  ['hide', closed, true, 'Support is closed.'],
  ['articles', closed, true, 'Support is closed.'],
  ['hide', open, true, 'Support is open.'],
  ['hide', null, false, '“whenClosed” needs SUPPORT_HOURS and /hours.js.'],
  ['articles', { ...open, hasArticles: false }, false, '“whenClosed” needs ARTICLES_DIR.'],
])('with “%s” and the hours %j the self-check says what it does', async (whenClosed, answer, ok, hint) => {
  startWith(whenClosed, answer);
  await settle();
  expect(await diagnosed()).toEqual([{ name: 'Hours', ok, hint }]);
});

it('the self-check says that a customer with a conversation is spared, and nothing of “show”', async () => {
  rememberUse('1');
  startWith('hide', closed);
  await settle();
  expect(await diagnosed()).toMatchObject([
    { ok: true, hint: expect.stringContaining('there is a conversation') },
  ]);
  call('update', { whenClosed: 'show' });
  expect(await diagnosed()).toEqual([]);
});

/** What the self-check says of the hours. */
async function diagnosed() {
  vi.spyOn(console, 'table').mockImplementation(() => {});
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const answer = call('diagnose') as Promise<Report>;
  await vi.advanceTimersByTimeAsync(12_000);
  vi.unstubAllGlobals();
  return (await answer).checks.filter(({ name }) => name === 'Hours');
}

it('nothing is asked after the widget was destroyed', async () => {
  const asked = startWith('hide', open);
  await settle();
  call('destroy');
  await vi.advanceTimersByTimeAsync(20 * minute);
  expect(asked).toHaveLength(1);
});
