import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentPrototype } from './dom.ts';
import { app, bff, call, closePage, openPage, settle, start, tag } from './testing/page.ts';

/** The members of `document` that the loader reads. */
const members = [
  'activeElement',
  'addEventListener',
  'body',
  'createElement',
  'currentScript',
  'dispatchEvent',
  'documentElement',
  'elementFromPoint',
  'fullscreenElement',
  'head',
  'hidden',
  'querySelector',
  'querySelectorAll',
  'readyState',
  'removeEventListener',
  'scripts',
  'title',
];

/**
 * happy-dom itself reads these members of the document, which no browser does: `e2e/security/clobbering.spec.ts` has
 * them.
 */
const ofHappyDom = new Set(['dispatchEvent', 'documentElement', 'removeEventListener']);

const evil = 'https://evil.example/x.js';
const image = () => Object.assign(document.createElement('img'), { src: evil });
const { querySelector } = Document.prototype;
const find = (selector: string) => querySelector.call(document, selector);
const panel = () => find('deskside-root')?.shadowRoot?.querySelector('iframe') ?? null;

/** What browsers do for `<img name="body">`. */
const clobber = (name: string) =>
  Object.defineProperty(document, name, { configurable: true, value: image() });
const unclobber = () => members.forEach((name) => Reflect.deleteProperty(document, name));

/** What browsers do for `<a id="…">` without a global of that name: found, but no own property. */
const asElement = (name: string, value: unknown) =>
  Object.defineProperty(Object.getPrototypeOf(window), name, { configurable: true, writable: true, value });
const withoutElement = (name: string) => Reflect.deleteProperty(Object.getPrototypeOf(window), name);

beforeEach(openPage);
afterEach(() => {
  unclobber();
  for (const name of ['Deskside', 'DesksideSettings', 'requestIdleCallback']) withoutElement(name);
  vi.unstubAllGlobals();
  closePage();
});

it('every member of the document that the loader reads is listed in this test [browser-32]', () => {
  const files = readdirSync('widget/loader', { recursive: true, encoding: 'utf8' });
  const read = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.startsWith('testing/'))
    .flatMap((file) => {
      const code = readFileSync(join('widget/loader', file), 'utf8');
      return [...code.matchAll(/(?:safeDocument|safe\(tree\))\.(\w+)|\{ (\w+) \} = safeDocument/g)];
    })
    .map(([, member, taken]) => member ?? taken!);
  expect([...new Set(read)].toSorted()).toEqual(members);
});

describe('a page with an image that bears the name of a member of the document', () => {
  it('does not make the tag load the frame from elsewhere [browser-30]', async () => {
    vi.stubGlobal('__DEFERRED_PATH__', '/assets/deferred.js?');
    vi.stubGlobal('__DEFERRED_HASH__', 'sha256-');
    vi.spyOn(documentPrototype(), 'currentScript', 'get').mockReturnValue(tag());
    clobber('currentScript');
    await import('./main.ts');
    call('open');
    await settle();
    expect(panel()!.src).toMatch(new RegExp(`^${bff}/frame`));
  });

  it.each(members.filter((name) => !ofHappyDom.has(name)))('has a widget that works: %s', async (name) => {
    const listen = document.addEventListener.bind(document);
    const opened = vi.fn<() => void>();
    const script = tag({ titleBadge: '' });
    clobber(name);
    start(script);
    listen('deskside:open', opened, { once: true });
    call('open');
    await settle();
    const { posted, say } = app(panel());
    say({ type: 'ready' });
    say({ type: 'unread', count: 2 });
    expect(opened).toHaveBeenCalledOnce();
    expect(posted.map(({ type }) => type)).toContain('open');
    call('close');
    expect(posted.at(-1)).toEqual({ type: 'closed' });
    call('destroy');
    expect(find('deskside-root')).toBeNull();
  });
});

describe('an element that bears the name of a global', () => {
  it('is not taken for settings, a queue of calls or a function [browser-31]', async () => {
    localStorage.setItem('deskside:used', '1');
    asElement('DesksideSettings', { brand: 'Evil', self: window });
    asElement('Deskside', { q: image() });
    if (!Object.hasOwn(window, 'requestIdleCallback')) asElement('requestIdleCallback', image());
    start();
    call('open');
    await settle();
    expect(panel()!.src).not.toContain('Evil');
    expect(panel()!.src).toMatch(new RegExp(`^${bff}/frame`));
  });
});

it('a page whose library replaces `Document` and `Event`, as MooTools does, has a widget that works', async () => {
  vi.stubGlobal('Document', vi.fn<() => void>());
  vi.stubGlobal('Event', vi.fn<() => void>());
  start();
  call('open');
  document.body.append(document.createElement('deskside-widget'));
  await settle();
  expect(panel()).not.toBeNull();
  expect(find('deskside-widget')!.shadowRoot!.querySelector('iframe')).not.toBeNull();
});

it('a page whose library replaces `remove` of elements, as Prototype does, shows launcher and invite', async () => {
  const { remove } = Element.prototype;
  HTMLElement.prototype.remove = function (this: HTMLElement) {
    this.parentNode!.removeChild(this);
  };
  try {
    const icon = 'https://shop.example/icon.png';
    start(tag({ launcherIcon: icon, invite: 'Can we help?', inviteAfter: '0' }));
    await settle();
    await vi.advanceTimersByTimeAsync(1_000);
    const { shadowRoot } = find('deskside-root')!;
    expect(shadowRoot!.querySelector('[role=status]')!.textContent).toContain('Can we help?');
    expect(() => call('update', { launcherIcon: `${icon}?2` })).not.toThrow();
    call('destroy');
    expect(shadowRoot!.querySelector('[role=status]')).toBeNull();
  } finally {
    Reflect.deleteProperty(HTMLElement.prototype, 'remove');
    Element.prototype.remove = remove;
  }
});

it.each([
  ['a module', null],
  ['a script in an SVG image', document.createElementNS('http://www.w3.org/2000/svg', 'script')],
])('%s, which is not an HTML script element, installs nothing', (_name, script) => {
  expect(() => start(script as HTMLScriptElement | null as HTMLScriptElement)).toThrow(TypeError);
  expect(find('deskside-root')).toBeNull();
});
