import { describe, expect, it, vi } from 'vitest';
import { createStore } from '../browser/storage.ts';
import { newStore } from '../testing/fakes.ts';
import { createToken, keepsCookie } from './token.ts';

const bearer = (token: string) => ({ 'X-Deskside-Session': 'bearer', Authorization: `Bearer ${token}` });

describe('a browser that keeps cookies', () => {
  it('sends no session headers, and tests cookies only before a request that can begin a session', () => {
    const hasCookies = vi.fn<() => boolean>(() => true);
    const token = createToken(newStore(), hasCookies);
    expect(token.headers(false)).toEqual({});
    expect(hasCookies).not.toHaveBeenCalled();
    expect(token.headers(true)).toEqual({});
    token.headers(true);
    expect(hasCookies).toHaveBeenCalledOnce();
  });
});

describe('a browser that keeps no cookies', () => {
  it('requests a token, then sends it', () => {
    const token = createToken(newStore(), () => false);
    expect(token.headers(true)).toEqual({ 'X-Deskside-Session': 'bearer' });
    token.keep('t1');
    expect(token.headers(false)).toEqual(bearer('t1'));
    token.keep(undefined);
    expect(token.headers(false)).toEqual(bearer('t1'));
  });

  it('keeps the token over a reload, and in memory if storage is denied', () => {
    const kept = newStore();
    createToken(kept, () => false).keep('t1');
    expect(createToken(kept).headers(false)).toEqual(bearer('t1'));
    const denied = createToken(
      createStore(() => {
        throw new DOMException('denied', 'SecurityError');
      }),
      () => false,
    );
    denied.keep('t2');
    expect(denied.headers(false)).toEqual(bearer('t2'));
  });

  it('drops a refused token, but not a newer one', () => {
    const token = createToken(newStore(), () => false);
    token.keep('old');
    const sent = token.headers(false);
    token.keep('new');
    token.drop(sent);
    expect(token.headers(false)).toEqual(bearer('new'));
    token.drop(bearer('new'));
    expect(token.headers(false)).toEqual({});
  });
});

describe('the cookie test', () => {
  const withCookies = (get: () => string) => {
    const set = vi.fn<(cookie: string) => void>();
    vi.spyOn(document, 'cookie', 'get').mockImplementation(get);
    vi.spyOn(document, 'cookie', 'set').mockImplementation(set);
    const answer = keepsCookie();
    vi.restoreAllMocks();
    return { answer, written: set.mock.calls.map(([cookie]) => cookie) };
  };

  it('sets a cookie with the attributes of the session’s cookie, and removes it again', () => {
    const { answer, written } = withCookies(() => 'other=1; __Host-deskside-probe=1');
    expect(answer).toBe(true);
    expect(written).toEqual([
      '__Host-deskside-probe=1; Secure; Path=/; SameSite=None; Partitioned',
      '__Host-deskside-probe=; Max-Age=0; Secure; Path=/; SameSite=None; Partitioned',
    ]);
  });

  it('finds no cookies, also if `document.cookie` throws', () => {
    expect(withCookies(() => '').answer).toBe(false);
    const refuse = () => {
      throw new DOMException('sandboxed', 'SecurityError');
    };
    expect(withCookies(refuse).answer).toBe(false);
  });
});
