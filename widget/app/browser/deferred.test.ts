import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { importScript, ScriptGone } from './deferred.ts';

const fetch = vi.fn<() => Promise<unknown>>();
beforeEach(() => vi.stubGlobal('fetch', fetch.mockReset().mockResolvedValue({ ok: true })));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const failing = () => vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError('failed'));
const errorOf = (result: Promise<unknown>) =>
  result.then(
    () => 'imported',
    (error: unknown) => error,
  );

describe('importing a script', () => {
  it('makes no other request when it succeeds', async () => {
    expect(await importScript(async () => 'script')()).toBe('script');
    expect(fetch).not.toHaveBeenCalled();
  });

  it('is retried once when the BFF can be reached', async () => {
    expect(
      await importScript(failing().mockRejectedValueOnce(new Error('reset')).mockResolvedValue('script'))(),
    ).toBe('script');
  });

  it('fails for good when the retry fails too', async () => {
    expect(await errorOf(importScript(failing())())).toBeInstanceOf(ScriptGone);
  });

  it('may work later when the BFF cannot be reached', async () => {
    const error = new TypeError('no network');
    fetch.mockRejectedValue(error);
    expect(await errorOf(importScript(failing())())).toBe(error);
  });

  it('stops waiting for the BFF after a time-out', async () => {
    const end = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(end.signal);
    fetch.mockImplementation(
      () => new Promise((_, reject) => end.signal.addEventListener('abort', () => reject(end.signal.reason))),
    );
    const error = errorOf(importScript(failing())());
    await expect.poll(() => fetch).toHaveBeenCalledOnce();
    end.abort();
    expect(await error).toBe(end.signal.reason);
  });
});
