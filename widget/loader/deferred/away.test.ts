import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { app, call, closePage, iframe, isOpen, openPage, settle, shadow, start } from '../testing/page.ts';

beforeEach(openPage);
afterEach(closePage);

const isAway = () => shadow().querySelector('.root')!.classList.contains('away');

describe('a screenshot of the page', () => {
  /** An open panel whose app is ready. */
  async function openPanel() {
    start();
    call('open');
    await settle();
    const panel = app();
    panel.say({ type: 'ready' });
    return panel;
  }

  it('is allowed to the frame', () => {
    start();
    call('open');
    expect(iframe()!.getAttribute('allow')).toBe('display-capture');
  });

  it('is without panel and launcher, which stay open and keep the focus', async () => {
    const { say, types } = await openPanel();
    const focused = shadow().activeElement;
    const before = types().length;
    say({ type: 'away', away: true });
    expect([isAway(), isOpen(), shadow().activeElement]).toEqual([true, true, focused]);
    await vi.advanceTimersByTimeAsync(100);
    // The app hears of it only after it was drawn.
    expect(types().slice(before)).toEqual(['away']);
    say({ type: 'away', away: false });
    expect([isAway(), isOpen()]).toEqual([false, true]);
  });

  it('that is broken off by a reload of the app leaves nothing hidden', async () => {
    const { say } = await openPanel();
    say({ type: 'away', away: true });
    call('update', { locale: 'de' });
    expect(isAway()).toBe(false);
  });

  it('is not begun by a message of another shape', async () => {
    const { say } = await openPanel();
    say({ type: 'away', away: 'yes' } as never);
    expect(isAway()).toBe(false);
  });
});
