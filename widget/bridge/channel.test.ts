import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openChannel } from './channel.ts';

const origin = 'https://support.example.com';
const isText = (value: unknown): value is string => typeof value === 'string';

describe('openChannel', () => {
  let lifetime: AbortController;
  let peer: Window | null | undefined;
  const heard = vi.fn<(message: string) => void>();
  const open = () =>
    openChannel<string, string>({ source: () => peer, origin, isMessage: isText }, heard, lifetime.signal);
  const arrive = (init: MessageEventInit) =>
    window.dispatchEvent(new MessageEvent('message', { data: 'hello', ...init }));

  beforeEach(() => {
    heard.mockReset();
    lifetime = new AbortController();
    peer = { postMessage: vi.fn<Window['postMessage']>() } as unknown as Window;
    open();
  });
  afterEach(() => lifetime.abort());

  it('hears its peer', () => {
    arrive({ source: peer!, origin });
    expect(heard.mock.calls).toEqual([['hello']]);
  });

  it('is deaf to another window of the same origin', () => {
    arrive({ source: window, origin });
    expect(heard).not.toHaveBeenCalled();
  });

  it('is deaf to its window once that shows another origin', () => {
    arrive({ source: peer!, origin: 'https://evil.example' });
    arrive({ source: peer!, origin: 'null' });
    expect(heard).not.toHaveBeenCalled();
  });

  it.each([null, undefined])('is deaf to messages without a source while its peer is %s', (absent) => {
    peer = absent;
    arrive({ source: null, origin });
    expect(heard).not.toHaveBeenCalled();
  });

  it('is deaf to what is no message', () => {
    arrive({ source: peer!, origin, data: { hello: true } });
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

  it('speaks to its peer and its origin only', () => {
    open().post('hi');
    expect(peer!.postMessage).toHaveBeenCalledExactlyOnceWith('hi', origin);
  });

  it('drops what is said to a peer that does not exist', () => {
    peer = null;
    expect(() => open().post('hi')).not.toThrow();
  });

  it('hears nothing after its end', () => {
    lifetime.abort();
    arrive({ source: peer!, origin });
    expect(heard).not.toHaveBeenCalled();
  });
});
