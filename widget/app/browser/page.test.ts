import { afterEach, describe, expect, it, vi } from 'vitest';
import { newUuid, tabLock } from './page.ts';
import { watchPage } from '../watch-page.ts';
import { aSession, aTicket, fakeModels, newStore, settle } from '../testing/fakes.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type LockRequest = (
  name: string,
  options: { signal: AbortSignal },
  run: () => Promise<void>,
) => Promise<void>;
const stubLocks = (request: LockRequest) => vi.stubGlobal('navigator', { onLine: true, locks: { request } });

describe('the lock of the tabs', () => {
  it('runs its function under the browser’s lock', async () => {
    const names: string[] = [];
    stubLocks((name, _options, run) => {
      names.push(name);
      return run();
    });
    const run = vi.fn<() => Promise<void>>(async () => {});
    await tabLock(run);
    expect(names).toEqual(['deskside-outbox']);
    expect(run).toHaveBeenCalledOnce();
  });

  it.each<[string, LockRequest | undefined]>([
    ['are missing', undefined],
    ['are denied', () => Promise.reject(new DOMException('denied', 'SecurityError'))],
    [
      'are held by a tab that is frozen',
      (_name, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new DOMException('late', 'TimeoutError')));
        }),
    ],
  ])('runs without it where locks %s', async (_how, request) => {
    const late = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
    if (request) stubLocks(request);
    else vi.stubGlobal('navigator', { onLine: true });
    const run = vi.fn<() => Promise<void>>(async () => {});
    const done = tabLock(run);
    late.abort();
    await done;
    expect(run).toHaveBeenCalledOnce();
  });

  it('does not run a function again that has failed under it', async () => {
    stubLocks((_name, _options, run) => run());
    const run = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('bug')));
    await expect(tabLock(run)).rejects.toThrow('bug');
    expect(run).toHaveBeenCalledOnce();
  });
});

it('a new key is a random UUID, on plain HTTP too', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(newUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(newUuid()).not.toBe(newUuid());
});

describe('a page', () => {
  const pageEvent = (type: string, persisted: boolean) =>
    dispatchEvent(Object.assign(new Event(type), { persisted }));

  it('stores its drafts and disconnects when it is left, and reconnects when it is restored', async () => {
    const storage = newStore();
    storage.write('used', true);
    const { models, threads, push, isStreaming } = fakeModels({ storage });
    watchPage(models);
    await push({ name: 'sync', data: { session: aSession(), tickets: [aTicket()], thread: null } });
    models.newTicket.set('subject', 'Half a thought');
    pageEvent('pagehide', true);
    await settle();
    expect(storage.read('draft:new')).toMatchObject({ subject: 'Half a thought' });
    expect(isStreaming()).toBe(false);
    pageEvent('pageshow', true);
    await settle();
    expect(threads).toHaveLength(2);
    expect(isStreaming()).toBe(true);
  });

  it('that is restored sends what another tab has stored, and detects a sign-out', async () => {
    const storage = newStore();
    storage.write('used', true);
    const reply = vi.fn<() => Promise<never>>(() => new Promise(() => {}));
    const { models, push } = fakeModels({ storage, calls: { reply } });
    watchPage(models);
    await push({ name: 'sync', data: { session: aSession(), tickets: [aTicket()], thread: null } });
    pageEvent('pagehide', true);
    fakeModels({ storage }).models.outbox.addMessage({ id: 't1', key: null }, { body: 'Hello' });
    await settle();
    pageEvent('pageshow', true);
    await settle();
    expect(reply).toHaveBeenCalledExactlyOnceWith('t1', 'key-1', { body: 'Hello' }, null);

    pageEvent('pagehide', true);
    storage.write('used', false);
    pageEvent('pageshow', true);
    await settle();
    expect(models.list.value).toEqual([]);
  });
});
