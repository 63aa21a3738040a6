import { describe, expect, it, vi } from 'vitest';
import { settle } from '../testing/fakes.ts';
import { computed, effect, signal, untracked } from './signal.ts';

describe('effect', () => {
  it('runs at once, and once more after any number of changes', async () => {
    const count = signal(0);
    const seen: number[] = [];
    effect(() => seen.push(count.value));
    count.value = 1;
    count.value = 2;
    await settle();
    expect(seen).toEqual([0, 2]);
  });

  it('sleeps when a value is set to what it was', async () => {
    const count = signal(1);
    const run = vi.fn<() => unknown>(() => count.value);
    effect(run);
    count.value = 1;
    await settle();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('follows what it read the last time only', async () => {
    const which = signal<'a' | 'b'>('a');
    const a = signal(1);
    const b = signal(1);
    const run = vi.fn<() => unknown>(() => (which.value === 'a' ? a.value : b.value));
    effect(run);
    which.value = 'b';
    await settle();
    a.value = 2;
    await settle();
    expect(run).toHaveBeenCalledTimes(2);
    b.value = 2;
    await settle();
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('reads through computed values, and not through peek and untracked', async () => {
    const count = signal(1);
    const double = computed(() => count.value * 2);
    const followed: number[] = [];
    const ignored: number[] = [];
    effect(() => followed.push(double.value));
    effect(() => ignored.push(double.peek() + count.peek() + untracked(() => count.value)));
    count.value = 5;
    await settle();
    expect(followed).toEqual([2, 10]);
    expect(ignored).toEqual([4]);
  });

  it('stays ended, even when its end comes between a change and the run', async () => {
    const count = signal(0);
    const run = vi.fn<() => unknown>(() => count.value);
    const end = effect(run);
    count.value = 1;
    end();
    await settle();
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('runs although another one fails', async () => {
    const report = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', report);
    const count = signal(0);
    const seen: number[] = [];
    effect(() => {
      if (count.value > 0) throw new Error('broken');
    });
    effect(() => seen.push(count.value));
    count.value = 1;
    await settle();
    expect(seen).toEqual([0, 1]);
    expect(report).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });
});
