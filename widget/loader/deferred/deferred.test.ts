import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Report } from '../api.ts';
import { documentPrototype } from '../dom.ts';
import {
  app,
  bff,
  call,
  closePage,
  dialog,
  host,
  iframe,
  isOpen,
  launcher,
  openPage,
  settle,
  settleBack,
  shadow,
  start,
  tag,
} from '../testing/page.ts';

beforeEach(openPage);
afterEach(() => {
  closePage();
  document.documentElement.removeAttribute('lang');
  document.title = '';
});

const button = (html: string) => {
  document.body.innerHTML = html;
  return document.body.querySelector('button')!;
};
/** An app that is ready, in a panel that nobody has opened. */
async function readyApp() {
  launcher().dispatchEvent(new Event('focus'));
  await settle();
  const frame = app();
  frame.say({ type: 'ready', version: '1.0.0' });
  return frame;
}

describe('the data layer', () => {
  afterEach(() => delete window.dataLayer);

  it('gets the names of events without their data if the site asks for it', async () => {
    start(tag({ dataLayer: 'true' }));
    call('open');
    await settle();
    const frame = await readyApp();
    frame.say({ type: 'event', event: { name: 'ticket-created', detail: { ticket_id: 't1' } } });
    call('close');
    expect(window.dataLayer).toEqual([
      { event: 'deskside:open' },
      { event: 'deskside:ticket-created' },
      { event: 'deskside:close' },
    ]);
  });

  it('gets nothing if the site does not ask for it', async () => {
    start();
    call('open');
    await settle();
    expect(window.dataLayer).toBeUndefined();
  });
});

describe('the language of the page', () => {
  it('is used by launcher and frame, also after the page has changed it', async () => {
    document.documentElement.lang = 'fr';
    start();
    vi.runOnlyPendingTimers();
    await settle();
    expect(launcher().getAttribute('aria-label')).toBe('Ouvrir l’assistance');
    const { say } = await readyApp();
    expect(iframe()!.title).toBe('Assistance');
    say({ type: 'unread', count: 2 });
    expect(launcher().getAttribute('aria-label')).toBe('Ouvrir l’assistance, non lus : 2');
    call('update', { locale: 'de', texts: { 'launcher.open': 'Fragen?' } });
    expect(launcher().getAttribute('aria-label')).toBe('Fragen?, 2 ungelesen');
    call('open');
    expect(launcher().getAttribute('aria-label')).toBe('Support schließen, 2 ungelesen');
  });

  it('names the number of unread messages once when the page changes it', async () => {
    document.documentElement.lang = 'fr';
    start();
    const { say } = await readyApp();
    say({ type: 'unread', count: 2 });
    document.documentElement.lang = 'de';
    await settle();
    expect(new URL(iframe()!.src).searchParams.get('lang')).toBe('de');
    expect(launcher().getAttribute('aria-label')).toBe('Support öffnen, 2 ungelesen');
  });

  it('does not load the deferred script when it is English', async () => {
    document.documentElement.lang = 'en-GB';
    start();
    vi.runOnlyPendingTimers();
    await settle();
    expect(shadow().adoptedStyleSheets).toHaveLength(1);
  });
});

describe('the site’s own launcher', () => {
  it('is replaced by ours again when the site takes back its selector', async () => {
    const help = button('<button class="help">Help</button>');
    start(tag({ launcher: '.help' }));
    await settle();
    expect(launcher().hidden).toBe(true);
    help.click();
    expect(isOpen()).toBe(true);
    expect(help.getAttribute('aria-expanded')).toBe('true');
    call('update', { launcher: '' });
    expect(launcher().hidden).toBe(false);
    expect(help.hasAttribute('aria-expanded')).toBe(false);
  });

  it('is ignored when its selector is invalid', async () => {
    start(tag({ launcher: '..' }));
    await settle();
    expect(() => document.body.click()).not.toThrow();
    expect(launcher().hidden).toBe(false);
  });
});

describe('the unread count in the title', () => {
  it('is shown only if the site asks for it', async () => {
    document.title = 'A shop';
    start();
    const { say } = await readyApp();
    say({ type: 'unread', count: 2 });
    expect(document.title).toBe('A shop');
    call('update', { titleBadge: true });
    expect(document.title).toBe('(2) A shop');
    say({ type: 'unread', count: 0 });
    expect(document.title).toBe('A shop');
  });

  it('stays after the prefix of another script', async () => {
    document.title = 'A shop';
    const keep = vi.fn<() => void>(() => {
      if (!document.title.startsWith('[Test] ')) document.title = `[Test] ${document.title}`;
    });
    const other = new MutationObserver(keep);
    start(tag({ titleBadge: 'true' }));
    const { say } = await readyApp();
    other.observe(document.head, { childList: true, subtree: true, characterData: true });
    say({ type: 'unread', count: 2 });
    await settle();
    expect(document.title).toBe('[Test] (2) A shop');
    say({ type: 'unread', count: 0 });
    await settle();
    other.disconnect();
    expect(document.title).toBe('[Test] A shop');
    expect(keep.mock.calls.length).toBeLessThan(5);
  });

  it('is not added again when a script always removes it', async () => {
    start(tag({ titleBadge: 'true' }));
    const { say } = await readyApp();
    const undo = vi.fn<() => void>(() => {
      // A failure then fails the test; without this the test would hang.
      if (undo.mock.calls.length < 99 && document.title !== 'A shop') document.title = 'A shop';
    });
    const other = new MutationObserver(undo);
    other.observe(document.head, { childList: true, subtree: true, characterData: true });
    say({ type: 'unread', count: 2 });
    await settle();
    other.disconnect();
    expect(document.title).toBe('A shop');
    expect(undo.mock.calls.length).toBeLessThan(50);
  });
});

describe('the panel', () => {
  it('takes the focus from no field of a form that is painted before the app is ready', async () => {
    start();
    call('open');
    await settle();
    app().say({ type: 'drawn' });
    iframe()!.focus();
    const focus = vi.spyOn(iframe()!, 'focus');
    app().say({ type: 'ready' });
    expect(focus).not.toHaveBeenCalled();
  });
});

describe('on a phone', () => {
  beforeEach(() => {
    const phone = Object.assign(new EventTarget(), { matches: true });
    vi.spyOn(window, 'matchMedia').mockReturnValue(phone as MediaQueryList);
  });
  /** Browsers report it only in a later task. */
  const tellClose = () => dialog().dispatchEvent(new Event('close'));

  it('the panel stays open while its frame loads again', async () => {
    start();
    await readyApp();
    call('open');
    expect(dialog().open).toBe(true);
    call('update', { locale: 'de' });
    expect(dialog().open).toBe(false);
    tellClose();
    expect(isOpen()).toBe(true);
    app().say({ type: 'ready' });
    tellClose();
    expect([isOpen(), dialog().open]).toEqual([true, true]);
  });

  it('the panel fills the window of a page that two fingers have enlarged, also when the phone is turned', async () => {
    const seen = { width: 195, height: 422, offsetLeft: 90, offsetTop: 70, scale: 2 };
    const viewport = Object.assign(new EventTarget(), seen);
    vi.stubGlobal('visualViewport', viewport);
    const size = () => ['--width', '--height'].map((name) => dialog().style.getPropertyValue(name));
    start();
    await readyApp();
    call('open');
    expect(size()).toEqual(['390px', '844px']);
    Object.assign(viewport, { width: 422, height: 195 }).dispatchEvent(new Event('resize'));
    expect(size()).toEqual(['844px', '390px']);
    vi.unstubAllGlobals();
  });

  it('the panel closes by the system’s back gesture', async () => {
    start();
    await readyApp();
    call('open');
    dialog().close();
    tellClose();
    expect(isOpen()).toBe(false);
  });
});

describe('a preview', () => {
  it('is shown up to its maximum height, not as a dialog, until it ends or the panel opens', async () => {
    start();
    const { say } = await readyApp();
    say({ type: 'preview', height: 5_000 });
    expect(dialog().style.getPropertyValue('--preview')).toBe('360px');
    expect(dialog().getAttribute('role')).toBe('group');
    call('open');
    expect(dialog().hasAttribute('role')).toBe(false);
    call('close');
    expect(shadow().querySelector('.preview')).toBeNull();
  });

  it('is not shown while the launcher is hidden', async () => {
    start();
    const { say } = await readyApp();
    const preview = () => shadow().querySelector('.preview');
    say({ type: 'preview', height: 90 });
    expect(preview()).not.toBeNull();
    call('hide');
    expect(preview()).toBeNull();
    say({ type: 'preview', height: 95 });
    expect(preview()).toBeNull();
    call('show');
    say({ type: 'preview', height: 90 });
    expect(preview()).not.toBeNull();
  });

  it('opens the panel on a click', async () => {
    start();
    const { say } = await readyApp();
    say({ type: 'preview', height: 90 });
    say({ type: 'open' });
    expect(isOpen()).toBe(true);
  });
});

describe('a wider panel', () => {
  it('is what the app of the panel asks for, until it asks for the usual one', async () => {
    const animate = vi.fn<(frames: object) => void>();
    start();
    const { say } = await readyApp();
    Object.assign(dialog(), { animate });
    const isWide = () => shadow().querySelector('.wide') !== null;
    say({ type: 'wide', wide: false });
    expect([isWide(), animate.mock.calls.length]).toEqual([false, 0]);
    say({ type: 'wide', wide: true });
    call('open');
    expect([isWide(), animate.mock.calls.length]).toEqual([true, 1]);
    say({ type: 'wide', wide: false });
    expect(isWide()).toBe(false);
  });

  it('is there at once for those who want less motion', async () => {
    const animate = vi.fn<() => void>();
    start();
    const { say } = await readyApp();
    Object.assign(dialog(), { animate });
    vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
    say({ type: 'wide', wide: true });
    expect([shadow().querySelector('.wide') !== null, animate.mock.calls]).toEqual([true, []]);
  });
});

describe('messages of a wrong shape', () => {
  it('are ignored', async () => {
    start();
    const { say } = await readyApp();
    const events: unknown[] = [];
    call('on', 'unread', (detail: unknown) => events.push(detail));
    for (const data of [
      { type: 'unread', count: '3' },
      { type: 'unread', count: -1 },
      { type: 'preview', height: 'tall' },
      { type: 'used', used: 1 },
      null,
      'close',
    ])
      say(data as never);
    expect(events).toEqual([]);
    expect(localStorage.length).toBe(0);
  });
});

describe('messages of the app before the deferred script is loaded', () => {
  it('are handled once it is loaded', async () => {
    start();
    call('open');
    const { say } = app();
    say({ type: 'ready' });
    say({ type: 'used', used: true });
    say({ type: 'unread', count: 1 });
    await settle();
    expect(launcher().getAttribute('aria-label')).toBe('Close support, 1 unread');
    expect(localStorage.getItem('deskside:used')).toBe('1');
  });
});

describe('the inline panel', () => {
  const inline = () => document.querySelector('deskside-widget')!;
  const settings = () => {
    const { hash } = new URL(inline().shadowRoot!.querySelector('iframe')!.src);
    return JSON.parse(decodeURIComponent(hash.slice(1))) as unknown;
  };

  it('uses the tag’s settings, its own settings over them, and the values of `prefill`', async () => {
    document.body.innerHTML = '<deskside-widget data-brand="Own"></deskside-widget>';
    start(tag({ brand: 'Tag', greeting: 'Hello' }));
    call('prefill', { subject: 'Order 7' });
    await settle();
    expect(settings()).toMatchObject({ brand: 'Own', greeting: 'Hello', inline: true });
    call('update', { greeting: 'Hi' });
    expect(iframe()).toBeNull();
  });

  const frameOf = (place: Element) => place.shadowRoot!.querySelector('iframe');

  it('stays when the page removes only the panel, and changes its language with it', async () => {
    document.body.innerHTML = '<deskside-widget></deskside-widget>';
    start();
    await settle();
    call('open');
    const [panel, own] = [iframe(), frameOf(inline())];
    host()!.remove();
    await settleBack();
    expect(iframe()).not.toBe(panel);
    expect(frameOf(inline())).toBe(own);
    call('update', { locale: 'de' });
    expect(frameOf(inline())).not.toBe(own);
  });

  it('reports an answer once, whichever frame reports it', async () => {
    document.body.innerHTML = '<deskside-widget></deskside-widget>';
    start();
    const answers: unknown[] = [];
    call('on', 'message-received', (detail: unknown) => answers.push(detail));
    const panel = await readyApp();
    const own = app(frameOf(inline()));
    const event = { name: 'message-received' as const, detail: { ticket_id: 'abc' } };
    own.say({ type: 'ready' });
    for (const { say } of [own, panel]) say({ type: 'event', event });
    expect(answers).toEqual([{ ticket_id: 'abc' }]);
    own.say({ type: 'event', event: { name: 'message-sent', detail: { ticket_id: 'abc' } } });
    expect(answers).toHaveLength(1);
  });

  it('reports no error when it is removed before its frame is loaded', async () => {
    document.body.innerHTML = '<deskside-widget></deskside-widget>';
    start();
    const errors: unknown[] = [];
    call('on', 'error', (detail: unknown) => errors.push(detail));
    await settle();
    inline().remove();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(errors).toEqual([]);
  });

  it('is removed with the widget', async () => {
    document.body.innerHTML = '<deskside-widget></deskside-widget>';
    start();
    await settle();
    call('destroy');
    expect(inline().shadowRoot!.childElementCount).toBe(0);
    expect(host()).toBeNull();
  });
});

describe('a page that changes its language without a reload', () => {
  it('has the launcher and the panel in that language', async () => {
    start();
    await readyApp();
    const before = iframe();
    document.documentElement.lang = 'de';
    await settle();
    expect(launcher().getAttribute('aria-label')).toBe('Support öffnen');
    expect(iframe()).not.toBe(before);
    expect(iframe()!.src).toContain('lang=de');
    document.documentElement.lang = '';
  });
});

describe('the self-check', () => {
  it('reports its findings within seconds, even if nothing answers', async () => {
    const table = vi.spyOn(console, 'table').mockImplementation(() => {});
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    start();
    const answer = call('diagnose') as Promise<Report>;
    await vi.advanceTimersByTimeAsync(12_000);
    const { version, checks } = await answer;
    vi.unstubAllGlobals();
    expect(version).toMatch(/^\d/);
    const wrong = checks.filter(({ ok }) => ok === false).map(({ name, hint }) => `${name}: ${hint}`);
    expect(wrong).toContainEqual(`Server: ${bff} does not answer.`);
    expect(wrong).toContainEqual('Frame: The server does not answer.');
    expect(table).toHaveBeenCalledWith(checks);
  });
});

it('without the deferred script the widget opens, and `diagnose` rejects', async () => {
  const { install } = await import('../install.ts');
  const failing = vi.fn<() => Promise<never>>(() => Promise.reject(new TypeError('blocked')));
  install(tag(), failing);
  call('open');
  await settle();
  app().say({ type: 'ready' });
  expect(isOpen()).toBe(true);
  await expect(call('diagnose')).rejects.toThrow('blocked');
  expect(failing).toHaveBeenCalledTimes(2);
});

describe('a page that opens a popover', () => {
  // The test's DOM has no popovers.
  const { prototype } = HTMLElement;
  afterEach(() => delete (prototype as Partial<HTMLElement>).showPopover);

  it('and removes the widget at the same time gets it back, above the popover', async () => {
    const lift = vi.fn<() => void>();
    prototype.showPopover = function () {
      // As browsers do.
      if (!this.isConnected) throw new DOMException('disconnected', 'InvalidStateError');
      lift();
    };
    start();
    call('open');
    await settle();
    const { querySelector } = documentPrototype();
    vi.spyOn(documentPrototype(), 'querySelector').mockImplementation(function (this: Document, selector) {
      return selector === ':popover-open' ? document.body : querySelector.call(this, selector);
    });
    host()!.remove();
    await settleBack();
    expect(host()).not.toBeNull();
    expect(lift).toHaveBeenCalledOnce();
  });
});
