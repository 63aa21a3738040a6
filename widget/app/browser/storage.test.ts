import { describe, expect, it, vi } from 'vitest';
import { createStore } from './storage.ts';
import { fakeStorage } from '../testing/fakes.ts';

describe('the store', () => {
  it('keeps values over pages, under its own prefix', () => {
    const storage = fakeStorage();
    expect(createStore(() => storage).write('draft:new', { subject: 'Hi' })).toBe(true);
    expect(Object.keys(storage)).toEqual(['deskside:v1:draft:new']);
    expect(createStore(() => storage).read('draft:new')).toEqual({ subject: 'Hi' });
  });

  it('keeps values in memory when storage is denied or full, and reports that', () => {
    const denied = createStore(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    const full = createStore(() => fakeStorage({ room: 0 }));
    for (const store of [denied, full]) {
      expect(store.write('send:1', 'text')).toBe(false);
      expect(store.read('send:1')).toBe('text');
      expect(store.names('send:')).toEqual(['send:1']);
      store.remove('send:1');
      expect(store.read('send:1')).toBeNull();
    }
  });

  it('lists a name once if it was stored before storage became full', () => {
    const storage = fakeStorage();
    const store = createStore(() => storage);
    store.write('send:1', 'old');
    vi.spyOn(storage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(store.write('send:1', 'new')).toBe(false);
    expect(store.names('send:')).toEqual(['send:1']);
    expect(store.read('send:1')).toBe('new');
  });

  it('reads what is missing or not JSON as null', () => {
    const storage = fakeStorage();
    storage.setItem('deskside:v1:broken', '{');
    const store = createStore(() => storage);
    expect(store.read('broken')).toBeNull();
    expect(store.read('missing')).toBeNull();
  });

  it('lists its own names by their prefix', () => {
    const storage = fakeStorage();
    storage.setItem('send:foreign', '1');
    const store = createStore(() => storage);
    store.write('send:a', 1);
    store.write('used', true);
    expect(store.names('send:')).toEqual(['send:a']);
  });

  it('reports changes of other tabs, to its own values only', () => {
    const store = createStore(() => fakeStorage());
    const onChange = vi.fn<() => void>();
    store.watch(onChange);
    dispatchEvent(new StorageEvent('storage', { key: 'theirs' }));
    expect(onChange).not.toHaveBeenCalled();
    dispatchEvent(new StorageEvent('storage', { key: 'deskside:v1:send:a' }));
    expect(onChange).toHaveBeenCalledOnce();
  });
});
