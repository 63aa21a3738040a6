import { expect, it } from 'vitest';
import { intervalOf, newWatch, type Watch } from './watch.ts';
import { Viewer } from './viewers.ts';

const minuteMs = 60_000;

function watched(thread: string | null, more: Partial<Watch> = {}): Watch {
  const viewer = new Viewer(
    { subjectId: 's', sessionId: 's', thread, after: null },
    { write: () => {}, end: () => {} },
  );
  return { ...newWatch('a', 0), viewers: new Map([[viewer, '']]), ...more };
}

const at = (now: number, watch: Watch) => intervalOf(watch, { activeMs: 2_000, idleMs: 15_000, now });

it.each<[string, number, Watch]>([
  ['on screen', 2_000, watched('a')],
  ['in a list', 15_000, watched(null)],
  [
    'on screen at another instance',
    2_000,
    watched(null, { elsewhere: { isOnScreen: true, seen: new Set() } }),
  ],
  ['that fails for the third time', 16_000, watched('a', { failures: 3 })],
  ['that fails again and again', 300_000, watched(null, { failures: 50 })],
])('a ticket %s is read every %i ms', (_, ms, watch) => {
  expect(at(0, watch)).toBe(ms);
});

it('a ticket is read less often in long silence', () => {
  expect([11, 21, 600].map((minutes) => at(minutes * minuteMs, watched('a')))).toEqual([4_000, 6_000, 8_000]);
});
