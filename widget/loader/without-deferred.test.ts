import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as deferred from './deferred/main.ts';
import { install } from './install.ts';
import { call, closePage, isOpen, openPage, settle, tag } from './testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

describe('the site’s own launcher', () => {
  /** Without the deferred script, which is never loaded. */
  const startAlone = (selector: string) =>
    install(tag({ launcher: selector }), () => Promise.reject(new TypeError('blocked')));

  it('opens and closes the panel at once, and its link is not followed', () => {
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

  it.each(['..', ''])('is ignored when its selector is invalid: “%s”', (selector) => {
    const report = vi.fn<() => void>();
    window.addEventListener('error', report);
    startAlone(selector);
    document.body.click();
    window.removeEventListener('error', report);
    expect(report).not.toHaveBeenCalled();
    expect(isOpen()).toBe(false);
  });
});

describe('the deferred script', () => {
  it('causes one error event for each failed load', async () => {
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

  it('that failed to load is loaded again when the panel is opened again', async () => {
    const attempts: number[] = [];
    install(tag(), (_bff, attempt) => {
      attempts.push(attempt);
      return attempt === 1 ? Promise.reject(new TypeError('offline')) : Promise.resolve(deferred);
    });
    call('open');
    await settle();
    call('close');
    expect(attempts).toEqual([1]);
    call('open');
    await settle();
    expect(attempts).toEqual([1, 2]);
  });

  it('causes no error event after the widget was destroyed', async () => {
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
