import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
});
