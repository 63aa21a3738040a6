import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { app, call, closePage, iframe, launcher, openPage, settle, start } from './testing/page.ts';

const used = () => localStorage.setItem('deskside:used', '1');
const failed = { code: 'identify_failed' };

/** Opens the widget and lets its app become ready. */
function openApp() {
  call('open');
  const frame = app();
  frame.say({ type: 'ready' });
  const passed = () =>
    frame.posted.filter(({ type }) => ['identify', 'identify_failed', 'logout'].includes(type));
  return { ...frame, passed };
}

function errors() {
  const heard: unknown[] = [];
  call('on', 'error', (detail: unknown) => heard.push(detail));
  return heard;
}

/** A site's function for tokens: `token-1`, `token-2`, … */
function site() {
  let count = 0;
  return vi.fn<() => Promise<string>>(() => Promise.resolve(`token-${(count += 1)}`));
}

/** A site that answers when the test says so. */
function slowSite() {
  let settleWith = (_token: string | Promise<never>) => {};
  const answer = new Promise<string>((resolve) => {
    settleWith = resolve;
  });
  return { getToken: () => answer, answer: (token: string | Promise<never>) => settleWith(token) };
}

beforeEach(openPage);
afterEach(closePage);

describe('identify', () => {
  it('asks the site for no token and fetches nothing before the customer acts', async () => {
    const getToken = site();
    start();
    call('identify', getToken);
    await settle();
    expect(getToken).not.toHaveBeenCalled();
    expect(iframe()).toBeNull();
  });

  it('sends a token to the app once that is ready', async () => {
    const getToken = site();
    start();
    call('identify', getToken);
    launcher().dispatchEvent(new Event('focus'));
    await settle();
    expect(getToken).toHaveBeenCalledOnce();
    const { posted, say } = app();
    expect(posted).toEqual([]);
    say({ type: 'ready' });
    expect(posted).toEqual([{ type: 'identifying' }, { type: 'identify', token: 'token-1' }]);
  });

  it('tells the app that a token will come: before its first paint, or at once', () => {
    start();
    call('identify', slowSite().getToken);
    launcher().dispatchEvent(new Event('focus'));
    expect(decodeURIComponent(iframe()!.src)).toContain('"identify":true');
    const { posted, say } = app();
    say({ type: 'ready' });
    expect(posted).toEqual([{ type: 'identifying' }]);
    call('identify', slowSite().getToken);
    expect(posted).toEqual([{ type: 'identifying' }, { type: 'identifying' }]);
  });

  it('announces no token when the page has identified nobody', () => {
    start();
    launcher().dispatchEvent(new Event('focus'));
    expect(decodeURIComponent(iframe()!.src)).toContain('"identify":false');
  });

  it('sends a token at once when the app is ready', async () => {
    start();
    const { passed } = openApp();
    call('identify', site());
    await settle();
    expect(passed()).toEqual([{ type: 'identify', token: 'token-1' }]);
  });

  it('gets a fresh token whenever the app asks, and when the app loads again', async () => {
    start();
    call('identify', site());
    const { say, passed } = openApp();
    await settle();
    say({ type: 'token' });
    await settle();
    expect(passed().at(-1)).toEqual({ type: 'identify', token: 'token-2' });
    call('update', { locale: 'de' });
    const next = openApp();
    await settle();
    expect(next.passed()).toEqual([{ type: 'identify', token: 'token-3' }]);
  });

  it('asks the site once for an app that asked before the deferred script was loaded', async () => {
    const getToken = site();
    start();
    call('identify', getToken);
    const { say, passed } = openApp();
    say({ type: 'token' });
    await settle();
    expect(getToken).toHaveBeenCalledOnce();
    expect(passed()).toEqual([{ type: 'identify', token: 'token-1' }]);
  });

  it('is told to fail at once by a page that gives nothing', async () => {
    start();
    const heard = errors();
    const { passed } = openApp();
    await settle();
    call('identify', null);
    await settle();
    expect(passed()).toEqual([{ type: 'identify_failed' }]);
    expect(heard).toEqual([failed]);
  });

  it('sends a plain token to each frame that loads, but not to one that asks for a fresh token', async () => {
    start();
    call('identify', 'token');
    openApp();
    await settle();
    call('update', { locale: 'de' });
    const next = openApp();
    next.say({ type: 'token' });
    await settle();
    expect(next.passed()).toEqual([{ type: 'identify', token: 'token' }]);
  });

  it('ignores an app that asks when the site has identified nobody', async () => {
    start();
    const heard = errors();
    const { say, passed } = openApp();
    say({ type: 'token' });
    await settle();
    expect(passed()).toEqual([]);
    expect(heard).toEqual([]);
  });

  it('drops the token of a customer after another one was identified', async () => {
    start();
    const { passed } = openApp();
    const late = slowSite();
    call('identify', late.getToken);
    call('identify', () => Promise.resolve('second'));
    await settle();
    late.answer('first');
    await settle();
    expect(passed()).toEqual([{ type: 'identify', token: 'second' }]);
  });

  it('keeps tokens out of storage, address and events [identity-41]', async () => {
    const store = vi.spyOn(Storage.prototype, 'setItem');
    const events: unknown[] = [];
    const dispatch = vi.spyOn(document, 'dispatchEvent');
    start();
    call('identify', 'secret-token');
    openApp();
    await settle();
    events.push(
      ...dispatch.mock.calls.map(([event]) => [event.type, (event as CustomEvent).detail as unknown]),
    );
    expect(JSON.stringify([events, store.mock.calls, iframe()!.src, location.href])).not.toContain('secret');
    expect(events).not.toEqual([]);
  });
});

describe('a site that cannot identify its customer', () => {
  it.each<[string, unknown]>([
    ['rejects', () => Promise.reject(new Error('offline'))],
    [
      'throws',
      () => {
        throw new Error('bug');
      },
    ],
    ['gives nothing', () => Promise.resolve()],
    ['gives an object', () => Promise.resolve({ token: 'token' })],
    ['gives a page of errors', () => Promise.resolve('<p>'.repeat(2_000))],
    ['is no function', { token: 'token' }],
    ['gives an over-long token', 'x'.repeat(4_097)],
  ])('gets one error when it %s', async (_, proof) => {
    start();
    const heard = errors();
    const { passed } = openApp();
    expect(() => call('identify', proof)).not.toThrow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heard).toEqual([failed]);
    expect(passed()).toEqual([{ type: 'identify_failed' }]);
  });

  it('is asked again when the app asks again', async () => {
    start();
    const { say, passed } = openApp();
    const getToken = site().mockRejectedValueOnce(new Error('offline'));
    call('identify', getToken);
    await settle();
    say({ type: 'token' });
    await settle();
    expect(passed()).toEqual([{ type: 'identify_failed' }, { type: 'identify', token: 'token-1' }]);
  });
});

/**
 * Signs out in a page that loads the app for it. Returns what was sent to the app, and how much the page then stores.
 */
async function logOut() {
  start();
  call('logout');
  const { posted, say } = app();
  say({ type: 'ready' });
  const told = [...posted];
  say({ type: 'used', used: false });
  await settle();
  return { told, stored: Object.entries(localStorage) };
}
const ended = { told: [{ type: 'logout' }], stored: [['deskside:used', '']] };

describe('logout', () => {
  it('is sent to the app, and forgets how to get tokens', async () => {
    const getToken = site();
    start();
    call('identify', getToken);
    const { say, passed } = openApp();
    await settle();
    call('logout');
    say({ type: 'token' });
    await settle();
    expect(getToken).toHaveBeenCalledOnce();
    expect(passed().at(-1)).toEqual({ type: 'logout' });
  });

  it('drops a token that comes later', async () => {
    start();
    const heard = errors();
    const { passed } = openApp();
    const late = slowSite();
    call('identify', late.getToken);
    call('logout');
    late.answer('token');
    await settle();
    expect(passed()).toEqual([{ type: 'logout' }]);
    expect(heard).toEqual([]);
  });

  it('loads the app when there was a conversation, to end its session', async () => {
    used();
    expect(await logOut()).toEqual(ended);
  });

  it('is remembered while the app still has the session', () => {
    used();
    start();
    call('logout');
    const { say } = app();
    say({ type: 'ready' });
    say({ type: 'used', used: true });
    expect(localStorage.getItem('deskside:used')).toBe('logout');
  });

  it('loads the app also when no conversation is remembered: the page’s storage may have been cleared [identity-21]', async () => {
    expect(await logOut()).toEqual(ended);
  });

  it('ends the session on the next page when the customer left this one before that', async () => {
    used();
    start();
    call('logout');
    call('destroy');
    start();
    call('identify', 'next customer');
    vi.runOnlyPendingTimers();
    await settle();
    const { say, types } = app();
    say({ type: 'ready' });
    expect(types()).toEqual(['logout', 'identifying', 'identify']);
  });

  it('is run in the order of the stub’s calls', async () => {
    used();
    const stub = (...args: unknown[]) => void ((window.Deskside!.q ??= []) as unknown[]).push(args);
    window.Deskside = stub;
    stub('logout');
    stub('identify', 'token');
    start();
    await settle();
    const { say, types } = app();
    say({ type: 'ready' });
    expect(types()).toEqual(['logout', 'identifying', 'identify']);
  });
});

describe('destroy', () => {
  it('drops a token that arrives later', async () => {
    start();
    const { posted } = openApp();
    const late = slowSite();
    call('identify', late.getToken);
    await settle();
    call('destroy');
    const told = vi.spyOn(document, 'dispatchEvent');
    late.answer(Promise.reject(new Error('offline')));
    await settle();
    expect(posted.map(({ type }) => type)).not.toContain('identify');
    expect(told).not.toHaveBeenCalled();
  });
});
