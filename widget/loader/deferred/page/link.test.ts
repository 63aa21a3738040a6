import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { app, call, closePage, isOpen, openPage, settle, start, tag } from '../../testing/page.ts';

beforeEach(openPage);
afterEach(() => {
  closePage();
  history.replaceState(null, '', '/');
});

/** The page at an address, with what was sent to its panel. */
async function visit(hash: string) {
  history.replaceState({ route: 1 }, '', `/cart?size=4${hash}`);
  start();
  await settle();
}
function told() {
  const { posted, say } = app();
  say({ type: 'ready' });
  return posted;
}

describe('a link to #deskside', () => {
  it('opens the panel, and is removed from the address, whose other parts stay', async () => {
    await visit('#deskside');
    expect(isOpen()).toBe(true);
    expect(location.href).toMatch(/\/cart\?size=4$/);
    expect(history.state).toEqual({ route: 1 });
    expect(told()).toContainEqual({ type: 'open' });
  });

  it('opens the form with its message and subject', async () => {
    await visit('#deskside?message=Is%20it%20blue%3F%0AOr%20red&subject=The+lamp');
    const posted = told();
    const fields = { description: 'Is it blue?\nOr red', subject: 'The lamp' };
    expect(posted).toContainEqual({ type: 'prefill', fields });
    expect(posted).toContainEqual({ type: 'open', view: 'new' });
  });

  it('keeps what the page has filled in, and fills in no name or address itself [browser-34]', async () => {
    history.replaceState(null, '', '/#deskside?message=Hello&email=eve@example.com&name=Eve');
    start();
    call('prefill', { email: 'ana@example.com' });
    await settle();
    expect(told()).toContainEqual({
      type: 'prefill',
      fields: { email: 'ana@example.com', description: 'Hello', subject: '' },
    });
  });

  it('works while the page is open, and again', async () => {
    start();
    for (let times = 0; times < 2; times += 1) {
      history.replaceState(null, '', '/#deskside?message=Hello');
      dispatchEvent(new Event('hashchange'));
      await settle();
      expect(isOpen()).toBe(true);
      call('close');
    }
  });

  it.each(['', '#/cart?size=4'])('leaves the address as it is, which ends with “%s”', async (route) => {
    document.head.innerHTML = '<base href="https://shop.example/other/">';
    document.body.innerHTML = '<a href="#deskside?message=Hello"><b>Help</b></a>';
    history.replaceState(null, '', `/${route}`);
    const { href } = location;
    start();
    const press = () => {
      const click = new MouseEvent('click', { bubbles: true, cancelable: true, composed: true });
      document.querySelector('b')!.dispatchEvent(click);
      return click.defaultPrevented;
    };
    expect(press()).toBe(true);
    await settle();
    const posted = told();
    const filled = { type: 'prefill', fields: { description: 'Hello', subject: '' } };
    expect(isOpen()).toBe(true);
    expect(posted).toContainEqual(filled);
    call('close');
    posted.length = 0;
    expect(press()).toBe(true);
    expect(isOpen()).toBe(true);
    expect(posted).toContainEqual(filled);
    document.head.innerHTML = '';
    expect(location.href).toBe(href);
  });

  it('works also where the page’s selector of its own launchers is none', async () => {
    document.body.innerHTML = '<a href="#deskside">Help</a>';
    start(tag({ launcher: '#' }));
    document.querySelector('a')!.click();
    await settle();
    expect(isOpen()).toBe(true);
  });

  it.each(['#desksides', '#/deskside', '#deskside/', '#other'])('%s is no such link', async (hash) => {
    await visit(hash);
    expect(isOpen()).toBe(false);
    expect(location.hash).toBe(hash);
  });
});
