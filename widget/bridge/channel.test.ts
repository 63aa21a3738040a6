import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openChannel } from './channel.ts';

const origin = 'https://support.example.com';
const url = `${origin}/help`;

describe('openChannel', () => {
  let lifetime: AbortController;
  let peer: Window | null | undefined;
  const heard = vi.fn<(value: unknown) => void>();
  const open = () => openChannel(() => peer, url, heard, lifetime.signal);
  const arrive = (init: MessageEventInit) =>
    window.dispatchEvent(new MessageEvent('message', { data: 'hello', ...init }));

  beforeEach(() => {
    heard.mockReset();
    lifetime = new AbortController();
    peer = { postMessage: vi.fn<Window['postMessage']>() } as unknown as Window;
    open();
  });
  afterEach(() => lifetime.abort());

  it('delivers its peer’s messages', () => {
    arrive({ source: peer!, origin });
    expect(heard.mock.calls).toEqual([['hello']]);
  });

  it('ignores another window of the same origin [browser-12]', () => {
    arrive({ source: window, origin });
    expect(heard).not.toHaveBeenCalled();
  });

  it('ignores its peer’s window after that has gone to another origin [browser-13]', () => {
    for (const other of [
      'https://evil.example',
      `${origin}.evil.example`,
      'https://support.example.co',
      'null',
      '',
    ])
      arrive({ source: peer!, origin: other });
    expect(heard).not.toHaveBeenCalled();
  });

  it.each([null, undefined])('ignores messages without a source while its peer is %s', (absent) => {
    peer = absent;
    arrive({ source: null, origin });
    expect(heard).not.toHaveBeenCalled();
  });

  it('follows its peer to a new window', () => {
    const old = peer!;
    peer = { postMessage: vi.fn<Window['postMessage']>() } as unknown as Window;
    arrive({ source: old, origin });
    expect(heard).not.toHaveBeenCalled();
    arrive({ source: peer, origin });
    expect(heard).toHaveBeenCalledOnce();
  });

  it('posts to its peer and its origin only [browser-14]', () => {
    open()('hi');
    expect(peer!.postMessage).toHaveBeenCalledExactlyOnceWith('hi', url);
  });

  it('drops messages to a peer that does not exist', () => {
    peer = null;
    expect(() => open()('hi')).not.toThrow();
  });

  it('delivers nothing after it was closed', () => {
    lifetime.abort();
    arrive({ source: peer!, origin });
    expect(heard).not.toHaveBeenCalled();
  });
});
