import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  app,
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
} from './testing/page.ts';

const sentSettings = () => JSON.parse(decodeURIComponent(new URL(iframe()!.src).hash.slice(1))) as unknown;

beforeEach(openPage);
afterEach(closePage);

describe('settings', () => {
  it('are those of the tag, overridden by the settings object, overridden by an update', () => {
    window.DesksideSettings = { brand: 'Object', greeting: 'Hello' };
    start(tag({ brand: 'Tag', position: 'left' }));
    call('open');
    expect(sentSettings()).toMatchObject({ brand: 'Object', greeting: 'Hello', position: 'left' });
    expect(dialog().getAttribute('aria-label')).toBe('Object');
    const { posted, say } = app();
    say({ type: 'ready' });
    call('update', { brand: 'Update' });
    expect(dialog().getAttribute('aria-label')).toBe('Update');
    expect(posted.at(-1)).toMatchObject({ type: 'update', settings: { brand: 'Update', greeting: 'Hello' } });
  });

  it("keeps a site's own label, open or closed", () => {
    start(tag({ label: 'Aide' }));
    call('open');
    expect(launcher().getAttribute('aria-label')).toBe('Aide');
  });

  it.each([
    ['https://support.example.com/widget.js', 'https://support.example.com/frame'],
    ['https://www.example.com/support/widget-1.2.3.js?v=/2', 'https://www.example.com/support/frame'],
  ])('loads the frame from beside %s', (src, frame) => {
    const script = tag();
    script.src = src;
    start(script);
    call('open');
    expect(iframe()!.src.split('?')[0]).toBe(frame);
  });

  it('loads the frame again for another language', () => {
    start();
    call('open');
    call('update', { locale: 'de' });
    expect(new URL(iframe()!.src).searchParams.get('lang')).toBe('de');
    const { say, types } = app();
    say({ type: 'ready' });
    expect(types()).toContain('open');
  });

  it('loads the frame again for other texts', () => {
    start();
    call('open');
    const before = iframe();
    call('update', { texts: { send: 'Go' } });
    expect(iframe()).not.toBe(before);
    expect(sentSettings()).toMatchObject({ texts: { send: 'Go' } });
  });
});

describe('open and close', () => {
  it('delivers earlier messages in order once the app is ready', () => {
    start();
    call('open', { ticket: 'abc' });
    call('update', { brand: 'Acme' });
    const { posted, say } = app();
    expect(posted).toEqual([]);
    say({ type: 'ready' });
    expect(posted.slice(0, 3).map(({ type }) => type)).toEqual(['update', 'open', 'update']);
    expect(posted[1]).toEqual({ type: 'open', ticket: 'abc' });
  });

  it('fills in the page’s values, set before or after, once the deferred script is loaded', async () => {
    start();
    call('prefill', { subject: 'Order 7' });
    call('open');
    const { posted, say } = app();
    say({ type: 'ready' });
    await settle();
    call('prefill', { subject: 'Order 8' });
    expect(posted.filter(({ type }) => type === 'prefill')).toEqual([
      { type: 'prefill', fields: { subject: 'Order 7' } },
      { type: 'prefill', fields: { subject: 'Order 8' } },
    ]);
  });

  it('sends the address of the page at each open', () => {
    start();
    call('open');
    const { posted, say } = app();
    say({ type: 'ready' });
    call('close');
    history.pushState(null, '', '/next?secret=1');
    launcher().click();
    history.replaceState(null, '', '/');
    const updates = posted.filter(({ type }) => type === 'update');
    expect(updates.at(-1)).toMatchObject({ settings: { page_url: `${location.origin}/next` } });
  });

  it('opens and stays open at a double click, also on a launcher of the site’s own', async () => {
    const own = document.body.appendChild(document.createElement('button'));
    start(tag({ launcher: 'body > button' }));
    const press = (target: Element, detail: number) =>
      target.dispatchEvent(
        new MouseEvent('click', { detail, bubbles: true, composed: true, cancelable: true }),
      );
    for (const target of [own, launcher()]) {
      press(target, 1);
      press(target, 2);
      expect(isOpen()).toBe(true);
      await settle();
      press(target, 2);
      expect(isOpen()).toBe(true);
      press(target, 1);
      expect(isOpen()).toBe(false);
    }
  });

  it('closes at Escape in the page and when the app asks', async () => {
    start();
    launcher().click();
    await settle();
    dialog().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }));
    expect(isOpen()).toBe(false);
    call('toggle');
    const { say, types } = app();
    say({ type: 'ready' });
    say({ type: 'close' });
    expect(isOpen()).toBe(false);
    expect(types().at(-1)).toBe('closed');
  });

  it('returns the focus to the element that opened it', async () => {
    const opener = document.body.appendChild(document.createElement('button'));
    start();
    opener.focus();
    call('open');
    await settle();
    expect(shadow().activeElement).toBe(dialog());
    call('close');
    expect(document.activeElement).toBe(opener);
  });

  it('hides and shows the launcher', () => {
    start();
    call('hide');
    expect(launcher().hidden).toBe(true);
    call('show');
    expect(launcher().hidden).toBe(false);
  });
});

describe('the app', () => {
  it('that loads again in an open panel is told that it is open', async () => {
    start();
    call('open');
    await settle();
    const { say, types } = app();
    say({ type: 'ready' });
    const before = types().length;
    say({ type: 'ready' });
    expect(types().slice(before)).toEqual(['open']);
    call('close');
    say({ type: 'ready' });
    expect(types().at(-1)).toBe('closed');
  });

  it('that is ready before the deferred script gets the focus once that is there', async () => {
    start();
    call('open');
    app().say({ type: 'ready' });
    expect(shadow().activeElement).toBe(dialog());
    await settle();
    expect(shadow().activeElement).toBe(iframe());
  });

  it('shows unread messages on the badge and in the launcher’s name', async () => {
    start();
    call('open');
    await settle();
    const { say } = app();
    const counts: unknown[] = [];
    call('on', 'unread', (detail: unknown) => counts.push(detail));
    say({ type: 'unread', count: 12 });
    expect(launcher().getAttribute('aria-label')).toBe('Close support, 12 unread');
    expect(launcher().textContent).toBe('9+');
    say({ type: 'unread', count: 0 });
    expect(launcher().getAttribute('aria-label')).toBe('Close support');
    expect(launcher().textContent).toBe('');
    expect(counts).toEqual([{ count: 12 }, { count: 0 }]);
  });

  it('is the only one whose messages are accepted', () => {
    start();
    call('open');
    const { say } = app();
    say({ type: 'close' }, { origin: 'https://evil.example' });
    say({ type: 'close' }, { source: window });
    expect(isOpen()).toBe(true);
  });

  it('is remembered while the customer has a conversation', async () => {
    start();
    call('open');
    await settle();
    const { say } = app();
    say({ type: 'used', used: true });
    expect(localStorage.getItem('deskside:used')).toBe('1');
    say({ type: 'used', used: false });
    expect(localStorage.getItem('deskside:used')).toBe('');
  });

  it('stores nothing of a customer without a conversation who has not opened it', async () => {
    start();
    launcher().dispatchEvent(new Event('focus'));
    await settle();
    app().say({ type: 'used', used: false });
    expect(localStorage.length).toBe(0);
  });

  it('is loaded on use only when the page denies storage', () => {
    vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(() => start()).not.toThrow();
  });

  it('can be loaded again by a button when it did not load', () => {
    start();
    const errors: unknown[] = [];
    call('on', 'error', (detail: unknown) => errors.push(detail));
    call('open');
    const first = iframe();
    vi.advanceTimersByTime(10_000);
    expect(errors).toEqual([{ code: 'frame_unavailable' }]);
    const alert = shadow().querySelector<HTMLElement>('[role=alert]')!;
    expect(alert.textContent).toBe('Support couldn’t load.Try again');
    alert.querySelector('button')!.click();
    expect(alert.textContent).toBe('');
    expect(iframe()).not.toBe(first);
    const { say, types } = app();
    say({ type: 'ready' });
    expect(types()).toContain('open');
    vi.advanceTimersByTime(10_000);
    expect(errors).toHaveLength(1);
  });
});

describe('window.Deskside', () => {
  it('runs the stub’s calls, before and after it is loaded', () => {
    const stub = (...args: unknown[]) => void ((window.Deskside!.q ??= []) as unknown[]).push(args);
    window.Deskside = stub;
    const seen: string[] = [];
    stub('on', 'ready', () => seen.push('ready'));
    stub('on', 'open', () => seen.push('open'));
    stub('open');
    start();
    expect(seen).toEqual(['open', 'ready']);
    stub('close');
    expect(isOpen()).toBe(false);
  });

  it('does not call a handler that has unsubscribed, and dispatches events on the document', () => {
    start();
    const handler = vi.fn<() => void>();
    const mirrored = vi.fn<() => void>();
    document.addEventListener('deskside:open', mirrored, { once: true });
    const unsubscribe = call('on', 'open', handler) as () => void;
    call('open');
    call('close');
    unsubscribe();
    call('open');
    expect(handler).toHaveBeenCalledOnce();
    expect(mirrored).toHaveBeenCalledOnce();
  });

  it('ignores an unknown command', () => {
    start();
    expect(call('explode')).toBeUndefined();
  });

  it('adds one launcher for two tags', () => {
    start();
    start();
    expect(document.querySelectorAll('deskside-root')).toHaveLength(1);
  });
});

describe('the widget in a page that changes', () => {
  it('is never inert, since the panel would lose the focus', async () => {
    start();
    host()!.setAttribute('inert', '');
    host()!.setAttribute('aria-hidden', 'true');
    await settle();
    expect(host()!.getAttributeNames()).toEqual([]);
  });

  it('is never inert, also when the page makes it so twice in a row', async () => {
    start();
    for (let time = 0; time < 2; time++) {
      host()!.setAttribute('inert', '');
      await Promise.resolve();
      expect(host()!.getAttributeNames()).toEqual([]);
    }
  });

  it('is beside the body, where its rules and swaps do not reach; in the body where React may hydrate the document', () => {
    start();
    expect(host()!.parentElement).toBe(document.documentElement);
    call('destroy');
    vi.stubGlobal('__reactRouterContext', {});
    start();
    expect(host()!.parentElement).toBe(document.body);
    vi.unstubAllGlobals();
  });

  it('is added again, still open, when the page removes it', async () => {
    start();
    call('open');
    host()!.remove();
    await settleBack();
    expect(host()!.isConnected).toBe(true);
    const { say, types } = app();
    say({ type: 'ready' });
    expect(types()).toContain('open');
  });

  it('fills in the page’s values again', async () => {
    start();
    call('prefill', { subject: 'Order 7' });
    call('open');
    await settle();
    app().say({ type: 'ready' });
    host()!.remove();
    await settleBack();
    const { posted, say } = app();
    say({ type: 'ready' });
    expect(posted.filter(({ type }) => type === 'prefill')).toEqual([
      { type: 'prefill', fields: { subject: 'Order 7' } },
    ]);
  });

  it.each(['drops', 'bars'])('does not freeze a page that %s it at once every time', async (does) => {
    start();
    const undo = vi.fn<() => void>(() => {
      // A failure then fails the test; without this the test would hang.
      if (undo.mock.calls.length > 999) return;
      if (does === 'drops') host()?.remove();
      else if (!host()!.hasAttribute('inert')) host()!.setAttribute('inert', '');
    });
    undo();
    const page = new MutationObserver(undo);
    page.observe(document, { attributes: true, childList: true, subtree: true });
    await vi.advanceTimersByTimeAsync(1_000);
    page.disconnect();
    expect(undo.mock.calls.length).toBeLessThan(300);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(host()!.hasAttribute('inert')).toBe(false);
  });

  it('keeps its frame when the page swaps its body', async () => {
    start();
    call('open');
    const frame = iframe();
    document.body.replaceWith(document.createElement('body'));
    await settleBack();
    expect(iframe()).toBe(frame);
  });
});

describe('a bad call', () => {
  it('does not stop later ones', () => {
    const report = vi.fn<() => void>();
    vi.stubGlobal('reportError', report);
    window.Deskside = Object.assign((): undefined => {}, { q: [null as never, ['open']] });
    start();
    vi.unstubAllGlobals();
    expect(report).toHaveBeenCalledOnce();
    expect(isOpen()).toBe(true);
  });
});

describe('destroy', () => {
  it('leaves no node, listener or global, does nothing later, and the tag can be used again', async () => {
    const handler = vi.fn<() => void>();
    localStorage.setItem('deskside:used', '1');
    start();
    call('on', 'open', handler);
    call('open');
    await settle();
    const kept = window.Deskside!;
    const { say } = app();
    kept('destroy');
    expect(host()).toBeNull();
    expect('Deskside' in window).toBe(false);
    // What was about to happen in an idle moment comes to nothing.
    vi.advanceTimersByTime(100);
    const failed = vi.fn<() => void>();
    document.addEventListener('deskside:error', failed, { once: true });
    vi.advanceTimersByTime(20_000);
    expect(failed).not.toHaveBeenCalled();
    document.removeEventListener('deskside:error', failed);
    say({ type: 'used', used: false });
    expect(localStorage.getItem('deskside:used')).toBe('1');
    kept('open');
    document.dispatchEvent(new CustomEvent('deskside:open'));
    expect(handler).toHaveBeenCalledOnce();
    document.body.replaceChildren();
    await vi.advanceTimersByTimeAsync(0);
    expect(host()).toBeNull();

    start();
    expect(document.querySelectorAll('deskside-root')).toHaveLength(1);
  });

  it('cancels the pending load of the frame', () => {
    localStorage.setItem('deskside:used', '1');
    start();
    window.Deskside!('destroy');
    // What was about to happen in an idle moment comes to nothing.
    vi.advanceTimersByTime(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a file that is dropped on the launcher', () => {
  it('does not replace the page, and opens the panel, which refuses it', async () => {
    start();
    launcher().dispatchEvent(new Event('dragenter'));
    await settle();
    const isTaken = (type: string) =>
      !launcher().dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    expect(isTaken('dragover')).toBe(true);
    expect(isOpen()).toBe(false);
    expect(isTaken('drop')).toBe(true);
    expect(isOpen()).toBe(true);
    const { say, types } = app();
    say({ type: 'ready' });
    expect(types()).toContain('dropped');
  });
});
