import { afterEach, describe, expect, it, vi } from 'vitest';
import { importPart } from './parts.ts';
import { ScriptGone } from './state/part.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Fetch = (path: string, init: RequestInit) => Promise<{ status: number }>;

/** Imports a script that cannot be had, where the BFF gives this answer for its path. */
async function failureAfter(answer: Fetch, attempt = 1) {
  const fetch = vi.fn<Fetch>(answer);
  vi.stubGlobal('fetch', fetch);
  const root = document.createElement('div');
  root.dataset['rest'] = '/assets/rest.en-00000000.js';
  const error: unknown = await importPart(
    'rest',
    root,
  )(attempt).then(
    () => 'imported',
    (reason: unknown) => reason,
  );
  return { error, fetch };
}

describe('a script that cannot be imported', () => {
  it('is gone when the BFF has it no more', async () => {
    const { error, fetch } = await failureAfter(async () => ({ status: 404 }), 2);
    expect(error).toBeInstanceOf(ScriptGone);
    expect(fetch).toHaveBeenCalledExactlyOnceWith('/assets/rest.en-00000000.js?2', {
      method: 'HEAD',
      signal: expect.any(AbortSignal),
    });
  });

  it('is not waited for longer than the BFF may take to answer', async () => {
    const end = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(end.signal);
    const failure = failureAfter(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(end.signal.reason))),
    );
    await vi.waitFor(() => expect(AbortSignal.timeout).toHaveBeenCalledOnce());
    end.abort();
    expect((await failure).error).toBe(end.signal.reason);
  });

  it.each([
    ['the BFF is too busy', async () => ({ status: 503 })],
    ['the BFF has it all the same', async () => ({ status: 200 })],
    ['the network is away', async () => Promise.reject(new TypeError('failed'))],
  ])('is not gone when %s', async (_, answer) => {
    const { error } = await failureAfter(answer);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ScriptGone);
  });
});
