import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentPrototype } from './dom.ts';
import { install } from './install.ts';
import { call, closePage, launcher, openPage, settle, shadow, start, tag } from './testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

const name = () => launcher().getAttribute('aria-label');
const root = () => shadow().querySelector<HTMLElement>('.root')!;
/** The distances from the side and from the bottom, without the limits of the window. */
const offsets = () =>
  ['--x', '--y'].map((each) => /clamp\(0px,\s*(-?[\d.]+)px/.exec(root().style.getPropertyValue(each))?.[1]);

describe('words on the launcher', () => {
  it('are its name while it is closed, and change by an update', async () => {
    start(tag({ launcherText: ' Chat with us ' }));
    await settle();
    expect([launcher().textContent, name()]).toEqual(['Chat with us', 'Chat with us']);
    call('open');
    expect(name()).toBe('Close support');
    call('close');
    call('update', { launcherText: '<b>Ask</b>' });
    expect([launcher().textContent, name()]).toEqual(['<b>Ask</b>', '<b>Ask</b>']);
    call('update', { launcherText: null });
    expect([launcher().textContent, name()]).toEqual(['', 'Open support']);
  });

  it('do not replace a label', async () => {
    start(tag({ launcherText: 'Chat', label: 'Chat with Acme' }));
    await settle();
    expect(name()).toBe('Chat with Acme');
  });

  it.each(['', '   '])('are none when they are empty: “%s”', async (launcherText) => {
    start(tag({ launcherText }));
    await settle();
    expect([launcher().textContent, name()]).toEqual(['', 'Open support']);
  });
});

describe('a picture on the launcher', () => {
  const address = 'https://shop.example/icon.png';
  it('takes the place of ours once it has come, until it is removed', async () => {
    const create = vi.spyOn(documentPrototype(), 'createElement');
    start(tag({ launcherIcon: address }));
    await settle();
    expect(launcher().querySelector('img')).toBeNull();
    const made = create.mock.results.map(({ value }) => value as Element);
    made.find((each) => each instanceof HTMLImageElement)!.dispatchEvent(new Event('load'));
    expect(launcher().firstElementChild!.getAttribute('src')).toBe(address);
    call('update', { launcherIcon: null });
    expect(launcher().querySelector('img')).toBeNull();
  });
});

describe('the colour', () => {
  it.each([false, 0, null, ''])('is ours where the page gives %j, before the deferred script', (color) => {
    window.DesksideSettings = { color } as object;
    start();
    expect(root().style.getPropertyValue('--color')).toBe('');
  });
});

describe('the offset', () => {
  it.each([
    [undefined, ['20', '20']],
    ['30', ['30', '30']],
    ['12 80', ['12', '80']],
    ['12px 80px', ['12', '80']],
    ['0', ['0', '0']],
    ['wide', ['20', '20']],
    ['12 wide', ['12', '12']],
  ])('of %s is %j', (offset, expected) => {
    start(tag(offset === undefined ? {} : { offset }));
    expect(offsets()).toEqual(expected);
  });

  it('of phones counts on phones only, also when the window changes', async () => {
    const query = Object.assign(new EventTarget(), { matches: true });
    vi.stubGlobal('matchMedia', () => query);
    start(tag({ offset: '40', offsetPhone: '12 80' }));
    expect(offsets()).toEqual(['12', '80']);
    call('open');
    await settle();
    query.matches = false;
    query.dispatchEvent(new Event('change'));
    expect(offsets()).toEqual(['40', '40']);
    call('update', { offsetPhone: 'wide', offset: '8 9' });
    query.matches = true;
    query.dispatchEvent(new Event('change'));
    expect(offsets()).toEqual(['8', '9']);
    vi.unstubAllGlobals();
  });
});

it.each([
  [{ launcherText: 'Chat' }, true],
  [{ launcherIcon: 'data:,' }, true],
  [{ whenClosed: 'hide' }, true],
  [{ launcher: '.help' }, true],
  [{ label: 'Chat', offset: '12 80' }, false],
])(
  'with %j the launcher waits for the deferred script, which is fetched at once, three seconds at most: %s',
  (settings, isWaiting) => {
    const fetch = vi.fn<() => Promise<never>>(() => new Promise(() => {}));
    install(tag(settings), fetch);
    expect(launcher().hidden).toBe(isWaiting);
    expect(fetch).toHaveBeenCalledTimes(isWaiting ? 1 : 0);
    vi.advanceTimersByTime(3_000);
    expect(launcher().hidden).toBe(false);
  },
);
