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
  start,
} from '../../testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

/** An app that is ready, in a panel that nobody has opened. */
async function readyApp() {
  launcher().dispatchEvent(new Event('focus'));
  await settle();
  app().say({ type: 'ready' });
}

describe('a custom dialog of the page', () => {
  const dialogWith = (field: string) => {
    document.body.innerHTML = `<main role="dialog"><input></main><form>${field}</form>`;
    return document.querySelector<HTMLElement>('main input')!;
  };
  /** The events that reach the page while `act` runs. */
  function heard(act: () => void) {
    const types: string[] = [];
    const hear = ({ type }: Event) => types.push(type);
    const all = [
      'pointerdown',
      'mousedown',
      'touchstart',
      'touchend',
      'click',
      'focusin',
      'focusout',
      'keydown',
      'keypress',
      'keyup',
    ];
    for (const type of all) document.addEventListener(type, hear, true);
    act();
    for (const type of all) document.removeEventListener(type, hear, true);
    return types;
  }
  const focusEvent = (type: string, relatedTarget: EventTarget | null) =>
    new FocusEvent(type, { bubbles: true, composed: true, relatedTarget });
  const key = (type: string) => new KeyboardEvent(type, { key: 'Escape', bubbles: true, composed: true });

  it('hears nothing of presses and focus in the widget, which work', async () => {
    dialogWith('');
    start();
    await readyApp();
    const types = ['pointerdown', 'mousedown', 'touchstart', 'touchend', 'focusin', 'click'];
    const press = () => {
      for (const type of types) launcher().dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    };
    expect(heard(press)).toEqual([]);
    expect(isOpen()).toBe(true);
  });

  it('does not hear that the focus leaves it for the widget; other elements of the page do', async () => {
    const field = dialogWith('<input>');
    const other = document.querySelector('form input')!;
    start();
    await readyApp();
    expect(heard(() => field.dispatchEvent(focusEvent('focusout', host())))).toEqual([]);
    expect(heard(() => field.dispatchEvent(focusEvent('focusout', other)))).toEqual(['focusout']);
    expect(heard(() => other.dispatchEvent(focusEvent('focusout', host())))).toEqual(['focusout']);
  });

  it.each(['<div role="dialog"><input></div>', '<div tabindex="-1"></div>'])(
    'does not take the focus of a customer who is writing when a script opens it, and can be focused then: %s',
    async (opened) => {
      start();
      await readyApp();
      call('open');
      document.body.innerHTML = opened;
      const field = document.querySelector<HTMLElement>('input, [tabindex]')!;
      const focus = vi.spyOn(iframe()!, 'focus');
      field.dispatchEvent(focusEvent('focusin', host()));
      expect(focus).toHaveBeenCalledOnce();
      field.dispatchEvent(focusEvent('focusin', host()));
      expect(focus).toHaveBeenCalledOnce();
    },
  );

  it('hears no key that is typed in the panel while the app loads', async () => {
    start();
    call('open');
    await settle();
    const type = () => {
      for (const each of ['keydown', 'keypress'])
        dialog().dispatchEvent(new KeyboardEvent(each, { key: 's', bubbles: true, composed: true }));
    };
    expect(heard(type)).toEqual([]);
  });

  it('gets back the focus that it has pulled before the widget could prevent it', async () => {
    const field = dialogWith('');
    start();
    call('open');
    field.focus();
    await settle();
    expect(document.activeElement).toBe(host());
  });

  it('does not hear the release of the Escape that closed the panel, but hears its own', async () => {
    const field = dialogWith('');
    start();
    await readyApp();
    expect(heard(() => field.dispatchEvent(key('keyup')))).toEqual([]);
    field.dispatchEvent(key('keydown'));
    expect(heard(() => field.dispatchEvent(key('keyup')))).toEqual(['keyup']);
  });
});

describe('a page with shortcuts', () => {
  /** Presses a key on the launcher. Returns whether its press is left to the browser. */
  function press(key: string): boolean {
    const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true });
    return launcher().dispatchEvent(event);
  }
  const hears = vi.fn<(key: string) => void>();
  function take(event: KeyboardEvent) {
    hears(event.key);
    event.preventDefault();
  }
  afterEach(() => {
    hears.mockClear();
    document.removeEventListener('keydown', take);
    removeEventListener('keydown', take, true);
  });

  it.each([' ', 'Enter'])('does not keep “%s” from pressing the launcher', async (key) => {
    document.addEventListener('keydown', take);
    start();
    await readyApp();
    expect(press(key)).toBe(true);
    expect(hears).not.toHaveBeenCalled();
    expect(press('k')).toBe(false);
    expect(hears).toHaveBeenCalledExactlyOnceWith('k');
  });

  it('that hears keys before the widget does not keep them from pressing the launcher', async () => {
    addEventListener('keydown', take, true);
    start();
    await readyApp();
    press('Enter');
    expect(isOpen()).toBe(true);
    press(' ');
    expect(isOpen()).toBe(false);
  });
});
