import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { install } from './install.ts';
import {
  call,
  closePage,
  iframe,
  isOpen,
  launcher,
  openPage,
  settle,
  shadow,
  start,
  tag,
} from './testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

describe('the loader, before the customer acts,', () => {
  it('adds a labelled, closed launcher and changes nothing else', () => {
    const store = vi.spyOn(Storage.prototype, 'setItem');
    start();
    expect(launcher().getAttribute('aria-label')).toBe('Open support');
    expect(isOpen()).toBe(false);
    expect(iframe()).toBeNull();
    expect(store).not.toHaveBeenCalled();
    expect(document.cookie).toBe('');
  });

  it.each(['pointerdown', 'focus'])('loads the frame once at %s, hidden', (type) => {
    start();
    launcher().dispatchEvent(new Event(type));
    const first = iframe();
    launcher().dispatchEvent(new Event(type));
    expect(iframe()).toBe(first);
    expect(first!.title).toBe('Support');
    expect(isOpen()).toBe(false);
  });

  it('adds the frame in a task after the press, so that browsers paint the open panel first', () => {
    start();
    launcher().dispatchEvent(new Event('pointerdown'));
    launcher().click();
    expect(isOpen()).toBe(true);
    expect(shadow().querySelector('iframe')).toBeNull();
    vi.advanceTimersByTime(0);
    expect(shadow().querySelectorAll('iframe')).toHaveLength(1);
  });

  it('loads the frame once the pointer has stayed on the launcher for a moment', () => {
    start();
    const isOver = vi.spyOn(launcher(), 'matches').mockReturnValue(true);
    launcher().dispatchEvent(new Event('pointerenter'));
    vi.advanceTimersByTime(89);
    expect(iframe()).toBeNull();
    vi.advanceTimersByTime(1);
    expect(iframe()).not.toBeNull();
    expect(isOver).toHaveBeenCalledExactlyOnceWith(':hover');
  });

  it('loads nothing for a pointer that only passes over the launcher', () => {
    start();
    vi.spyOn(launcher(), 'matches').mockReturnValue(false);
    launcher().dispatchEvent(new Event('pointerenter'));
    vi.runOnlyPendingTimers();
    expect(iframe()).toBeNull();
  });

  describe('after the focus', () => {
    const importDeferred = vi.fn<() => Promise<never>>();
    beforeEach(() => void importDeferred.mockReset().mockReturnValue(new Promise(() => {})));
    const focus = () => {
      launcher().dispatchEvent(new Event('focus'));
      expect(iframe()).not.toBeNull();
    };

    it('loads the deferred script a moment later than the frame, which need not answer', async () => {
      install(tag(), importDeferred);
      focus();
      expect(importDeferred).not.toHaveBeenCalled();
      await settle();
      expect(importDeferred).toHaveBeenCalledOnce();
    });

    it('does not load it once the site has destroyed the widget', async () => {
      install(tag(), importDeferred);
      focus();
      call('destroy');
      await settle();
      expect(importDeferred).not.toHaveBeenCalled();
    });

    it('loads it at once if the site identifies its customer, whose token it gets', () => {
      install(tag(), importDeferred);
      call('identify', () => new Promise(() => {}));
      focus();
      vi.advanceTimersByTime(0);
      expect(importDeferred).toHaveBeenCalledOnce();
    });
  });

  describe('in data-saving mode', () => {
    beforeEach(() => vi.stubGlobal('navigator', { language: 'en', connection: { saveData: true } }));
    afterEach(() => void vi.unstubAllGlobals());

    it.each(['pointerenter', 'pointerdown', 'focus'])('loads nothing at %s, only at the press', (type) => {
      start();
      vi.spyOn(launcher(), 'matches').mockReturnValue(true);
      launcher().dispatchEvent(new Event(type));
      vi.runOnlyPendingTimers();
      expect(iframe()).toBeNull();
      launcher().click();
      expect(iframe()).not.toBeNull();
    });

    it('loads nothing in an idle moment, unless a session must still be ended', () => {
      localStorage.setItem('deskside:used', '1');
      start();
      vi.runOnlyPendingTimers();
      expect(iframe()).toBeNull();
      call('destroy');
      localStorage.setItem('deskside:used', 'logout');
      start();
      vi.runOnlyPendingTimers();
      expect(iframe()).not.toBeNull();
    });
  });

  it('loads the frame in an idle moment for a customer who has used it', () => {
    localStorage.setItem('deskside:used', '1');
    start();
    expect(shadow().querySelector('iframe')).toBeNull();
    vi.runOnlyPendingTimers();
    expect(iframe()).not.toBeNull();
    expect(isOpen()).toBe(false);
  });
});
