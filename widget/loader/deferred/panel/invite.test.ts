import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentPrototype } from '../../dom.ts';
import {
  app,
  call,
  closePage,
  isOpen,
  launcher,
  openPage,
  settle,
  shadow,
  start,
  tag,
} from '../../testing/page.ts';

const text = 'Questions about delivery? We are here.';
const status = () => shadow().querySelector<HTMLElement>('[role=status]');
const buttons = () => [...shadow().querySelectorAll<HTMLButtonElement>('[role=status] > button')];
/** The text on screen; undefined where there is none. */
const shown = () => buttons()[0]?.textContent;
const close = () => buttons()[1]!.click();
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** A page with an invite, whose script has come in an idle moment. */
async function visit(data: Record<string, string> = {}) {
  start(tag({ invite: text, inviteAfter: '5', ...data }));
  vi.runOnlyPendingTimers();
  await settle();
}
/** The next page of the same visit. */
async function nextPage(data?: Record<string, string>) {
  call('destroy');
  await visit(data);
}
const add = (html: string) => {
  document.body.innerHTML = html;
  return document.body.firstElementChild as HTMLElement;
};
/** What a press in the middle of anything hits. */
const isHit = (element: Element | null) =>
  Object.assign(documentPrototype(), { elementFromPoint: () => element });

beforeEach(openPage);
afterEach(() => {
  closePage();
  isHit(null);
  history.replaceState(null, '', '/');
});

describe('an invite', () => {
  it('of the command shows in the next second, and null ends it', async () => {
    start();
    call('invite', text);
    vi.runOnlyPendingTimers();
    await settle();
    await pass(1);
    expect(shown()).toBe(text);
    call('invite', null);
    expect(shown()).toBeUndefined();
  });

  it('shows after its seconds on the page, and takes no focus', async () => {
    await visit();
    await pass(4);
    expect(shown()).toBeUndefined();
    // A screen reader knows the region before.
    expect(status()).not.toBeNull();
    await pass(1);
    expect(shown()).toBe(text);
    expect(shadow().activeElement).toBeNull();
  });

  it('shows after 30 seconds unless its time is set', async () => {
    start(tag({ invite: text }));
    vi.runOnlyPendingTimers();
    await settle();
    await pass(29);
    expect(shown()).toBeUndefined();
    await pass(1);
    expect(shown()).toBe(text);
  });

  it('loads the deferred script only where there is one', async () => {
    document.documentElement.lang = 'en';
    start();
    vi.runOnlyPendingTimers();
    await settle();
    expect(shadow().adoptedStyleSheets).toHaveLength(1);
    call('update', { invite: text, inviteAfter: 0 });
    vi.runOnlyPendingTimers();
    await settle();
    await pass(1);
    expect(shown()).toBe(text);
    document.documentElement.removeAttribute('lang');
  });

  it('opens the panel at the form when it is pressed', async () => {
    await visit();
    await pass(5);
    buttons()[0]!.click();
    expect(isOpen()).toBe(true);
    expect(status()).toBeNull();
    const { posted, say } = app();
    say({ type: 'ready' });
    expect(posted).toContainEqual({ type: 'open', view: 'new' });
  });

  it('is plain text of at most 200 characters, of which none is cut in half', async () => {
    await visit({ invite: `<b>${'😀'.repeat(300)}` });
    await pass(5);
    expect(shown()).toBe(`<b>${'😀'.repeat(196)}…`);
    expect(status()!.querySelector('b')).toBeNull();
  });

  it.each(['', '   '])('that is %j shows nothing', async (invite) => {
    await visit({ invite });
    await pass(60);
    expect(shown()).toBeUndefined();
  });

  it('that the site changes while nothing is shown waits for its own time', async () => {
    await visit();
    await pass(4);
    call('update', { invite: 'Help with payment?', inviteAfter: 3 });
    await pass(2);
    expect(shown()).toBeUndefined();
    await pass(1);
    expect(shown()).toBe('Help with payment?');
  });

  it('goes when the site takes it back, and when the widget is removed', async () => {
    await visit();
    await pass(5);
    call('update', { invite: null });
    await pass(1);
    expect(status()).toBeNull();
    await nextPage();
    call('destroy');
    await pass(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an invite that was shown', () => {
  it('is not shown again in this visit, but in the next', async () => {
    await visit();
    await pass(5);
    await nextPage({ invite: 'Another' });
    await pass(60);
    expect(shown()).toBeUndefined();
    sessionStorage.clear();
    await nextPage();
    await pass(5);
    expect(shown()).toBe(text);
  });

  it('is not shown for a day after the customer has closed it', async () => {
    await visit();
    await pass(5);
    close();
    expect(status()).toBeNull();
    sessionStorage.clear();
    await pass(23 * 60 * 60);
    await nextPage();
    await pass(60);
    expect(shown()).toBeUndefined();
    await pass(60 * 60);
    await nextPage();
    await pass(5);
    expect(shown()).toBe(text);
  });

  it('closes at Escape, which leaves the focus on the launcher', async () => {
    await visit();
    await pass(5);
    buttons()[0]!.focus();
    vi.spyOn(buttons()[0]!, 'matches').mockReturnValue(true);
    buttons()[0]!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    expect(status()).toBeNull();
    expect(shadow().activeElement).toBe(launcher());
    expect(localStorage['deskside:invite']).toBeDefined();
  });

  it('is not shown where the page denies storage', async () => {
    vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    await visit();
    await pass(60);
    expect(shown()).toBeUndefined();
  });

  it('stores nothing before', async () => {
    await visit();
    await pass(4);
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
  });
});

describe('an invite waits', () => {
  it.each([
    '<input>',
    '<textarea></textarea>',
    '<select></select>',
    '<div contenteditable tabindex="0"></div>',
    '<iframe tabindex="0"></iframe>',
  ])('until three seconds after the focus has left %s', async (html) => {
    const field = add(html);
    await visit();
    field.focus();
    await pass(20);
    expect(shown()).toBeUndefined();
    field.blur();
    await pass(3);
    expect(shown()).toBeUndefined();
    await pass(1);
    expect(shown()).toBe(text);
  });

  it('while a field in a shadow tree has the focus', async () => {
    const place = add('<x-field></x-field>').attachShadow({ mode: 'open' });
    place.innerHTML = '<input>';
    await visit();
    place.querySelector('input')!.focus();
    await pass(20);
    expect(shown()).toBeUndefined();
  });

  it('while a dialog is open, but not for one that the page keeps hidden', async () => {
    const dialog = add('<div role="alertdialog"><p></p></div>');
    await visit();
    isHit(dialog.firstElementChild);
    await pass(20);
    expect(shown()).toBeUndefined();
    isHit(null);
    await pass(1);
    expect(shown()).toBe(text);
  });

  it('while the launcher is hidden', async () => {
    await visit();
    call('hide');
    await pass(20);
    expect(shown()).toBeUndefined();
    call('show');
    await pass(1);
    expect(shown()).toBe(text);
  });

  it('while the page is in the background, where its seconds do not count', async () => {
    await visit();
    const hidden = vi.spyOn(documentPrototype(), 'hidden', 'get').mockReturnValue(true);
    await pass(20);
    hidden.mockReturnValue(false);
    await pass(4);
    expect(shown()).toBeUndefined();
    await pass(1);
    expect(shown()).toBe(text);
  });
});

describe('an invite is not shown', () => {
  it('once the customer has opened the panel, also on later pages of the visit', async () => {
    await visit();
    call('open');
    call('close');
    await pass(60);
    await nextPage();
    await pass(60);
    expect(shown()).toBeUndefined();
  });

  it('in a visit with an unread answer, which also ends one on screen', async () => {
    await visit();
    await pass(5);
    launcher().dispatchEvent(new Event('focus'));
    const { say } = app();
    say({ type: 'ready' });
    expect(shown()).toBe(text);
    say({ type: 'unread', count: 1 });
    expect(status()).toBeNull();
    say({ type: 'unread', count: 0 });
    await pass(60);
    expect(shown()).toBeUndefined();
  });

  it('to a guest who has a conversation here, but to one whom the site has identified', async () => {
    localStorage.setItem('deskside:used', '1');
    await visit();
    await pass(60);
    expect(shown()).toBeUndefined();
    call('destroy');
    start(tag({ invite: text, inviteAfter: '5' }));
    call('identify', 'a.b.c');
    vi.runOnlyPendingTimers();
    await settle();
    await pass(5);
    expect(shown()).toBe(text);
  });

  it('beside the site’s own launcher', async () => {
    add('<button class="help">Help</button>');
    await visit({ launcher: '.help' });
    await pass(60);
    expect(shown()).toBeUndefined();
  });
});

describe('the path of an invite', () => {
  it.each([
    ['/checkout*', '/checkout/address', true],
    ['/checkout*', '/cart', false],
    ['/checkout', '/checkout/', true],
    ['/checkout', '/checkout/address', false],
    ['checkout', '/checkout', true],
    ['/cart  /checkout*', '/checkout', true],
    ['/*/faq', '/de/faq', true],
    ['*', '/anything', true],
    ['', '/anything', true],
    ['/a.b+(c)', '/a.b+(c)', true],
    ['/a.b', '/axb', false],
    ['/über-uns', '/%C3%BCber-uns', true],
    ['/%C3%BCber-uns', '/über-uns', true],
    ['https://shop.example/cart?size=4', '/cart', true],
    ['http://[', '/cart', false],
    ['!/checkout*', '/checkout/address', false],
    ['!/checkout*', '/cart', true],
    ['* !/pl/* !/ru/*', '/pl/', false],
    ['* !/pl/* !/ru/*', '/ru/dostavka', false],
    ['* !/pl/* !/ru/*', '/delivery', true],
    ['!/pl/* *', '/pl/dostawa', false],
    ['/cart*  !/cart/pay', '/cart/pay/', false],
    ['/cart*  !/cart/pay', '/cart', true],
    ['/cart*  !/cart/pay', '/other', false],
    ['! /checkout', '/checkout', false],
    ['! /checkout', '/', true],
    ['!https://shop.example/über', '/%C3%BCber', false],
    ['!http://[', '/cart', false],
  ])('%s on %s: %s', async (invitePage, path, isShown) => {
    history.replaceState(null, '', path);
    await visit({ invitePage });
    await pass(5);
    expect(shown() === text).toBe(isShown);
  });

  it('is that of the page now: its seconds begin anew, and it leaves with its page', async () => {
    await visit({ invitePage: '/checkout*' });
    await pass(20);
    history.pushState(null, '', '/checkout');
    await pass(4);
    expect(shown()).toBeUndefined();
    await pass(1);
    expect(shown()).toBe(text);
    history.pushState(null, '', '/cart');
    await pass(1);
    expect(status()).toBeNull();
    history.back();
    await pass(60);
    expect(shown()).toBeUndefined();
  });
});
