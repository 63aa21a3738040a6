import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { app, call, closePage, iframe, openPage, start } from './testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

describe('the frame', () => {
  it('shows its document from the first paint, and delivers no message before the app is ready', () => {
    start();
    call('open');
    const { posted, say } = app();
    expect(iframe()!.parentElement!.className).toBe('loading');
    say({ type: 'drawn' });
    expect(iframe()!.parentElement!.className).toBe('drawn');
    expect(posted).toEqual([]);
    say({ type: 'ready' });
    expect(iframe()!.parentElement!.className).toBe('ready');
    expect(posted).not.toEqual([]);
  });

  it('keeps a painted form whose scripts are late, with a button to try again beside it', () => {
    start();
    call('open');
    const box = iframe()!.parentElement!;
    const first = iframe();
    app().say({ type: 'drawn' });
    vi.advanceTimersByTime(10_000);
    expect(box.className).toBe('drawn');
    expect(box.querySelector('[role=alert]')!.textContent).toContain('Try again');
    app().say({ type: 'ready' });
    expect(box.className).toBe('ready');
    expect(box.querySelector('[role=alert]')!.textContent).toBe('');
    expect(iframe()).toBe(first);
  });

  it('has failed at once while the network is away', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    start();
    call('open');
    expect(iframe()!.parentElement!.querySelector('[role=alert]')!.textContent).toContain('Try again');
  });

  it('that failed to load is loaded again when the network is back, unless a form is painted or nothing has failed', () => {
    start();
    call('open');
    /** Whether the frame is another one afterwards. */
    const reloads = () => {
      const before = iframe();
      window.dispatchEvent(new Event('online'));
      return iframe() !== before;
    };
    expect(reloads()).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(reloads()).toBe(true);
    app().say({ type: 'drawn' });
    vi.advanceTimersByTime(10_000);
    expect(reloads()).toBe(false);
  });
});
