import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { install } from './install.ts';
import { call, closePage, isOpen, openPage, settle, tag } from './testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

describe('the site’s own launcher', () => {
  /** Without the second part, which never comes. */
  const startAlone = (selector: string) =>
    install(tag({ launcher: selector }), () => Promise.reject(new TypeError('blocked')));

  it('opens and closes the panel from the first moment, and leads nowhere', () => {
    document.body.innerHTML = '<a class="help" href="/help"><b>Help</b></a><p>Text</p>';
    startAlone('.help');
    const click = (selector: string) =>
      document
        .querySelector(selector)!
        .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    expect([click('b'), isOpen()]).toEqual([false, true]);
    expect([click('.help'), isOpen()]).toEqual([false, false]);
    expect([click('p'), isOpen()]).toEqual([true, false]);
  });

  it.each(['..', ''])('may be named wrongly without harm: “%s”', (selector) => {
    const report = vi.fn<() => void>();
    window.addEventListener('error', report);
    startAlone(selector);
    document.body.click();
    window.removeEventListener('error', report);
    expect(report).not.toHaveBeenCalled();
    expect(isOpen()).toBe(false);
  });
});

describe('the second part', () => {
  it('is told to be missing once for each time that it cannot be fetched', async () => {
    const errors: unknown[] = [];
    install(tag(), () => Promise.reject(new TypeError('blocked')));
    call('on', 'error', (detail: unknown) => errors.push(detail));
    call('open');
    call('open');
    await settle();
    expect(errors).toEqual([{ code: 'guest_unavailable' }]);
    await expect(call('diagnose')).rejects.toThrow('blocked');
    expect(errors).toHaveLength(2);
  });

  it('is told nobody to be missing once the widget is gone', async () => {
    const told = vi.fn<() => void>();
    document.addEventListener('deskside:error', told);
    install(tag(), () => Promise.reject(new TypeError('blocked')));
    call('open');
    call('destroy');
    await settle();
    document.removeEventListener('deskside:error', told);
    expect(told).not.toHaveBeenCalled();
  });
});
