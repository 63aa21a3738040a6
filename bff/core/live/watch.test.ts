import { expect, it } from 'vitest';
import type { ThreadRead } from '../tickets/threads.ts';
import { v1Thread } from '../v1/schema.ts';
import { intervalsOf, newWatch, takeRead, type Watch } from './watch.ts';
import { Viewer } from './viewers.ts';

const minuteMs = 60_000;

function watched(thread: string | null, more: Partial<Watch> = {}): Watch {
  const viewer = new Viewer(
    { subjectId: 's', sessionId: 's', thread, after: null },
    { write: () => {}, end: () => {} },
  );
  return { ...newWatch(0), viewers: new Map([[viewer, '']]), ...more };
}

const at = (now: number, watch: Watch) => intervalsOf('a', watch, { activeMs: 2_000, idleMs: 15_000, now });

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
  expect(at(0, watch).wantedMs).toBe(ms);
});

it('a ticket is read less often in long silence', () => {
  expect([11, 21, 600].map((minutes) => at(minutes * minuteMs, watched('a')).wantedMs)).toEqual([
    4_000, 6_000, 8_000,
  ]);
});

it('a conversation gets half of the turns while no answer is awaited or new', () => {
  const watch = watched('a');
  const thread = v1Thread.parse({ id: 'a', messages: [{ id: 'm', author_type: 'agent', body: 'Hello' }] });
  const read: ThreadRead = {
    thread,
    readAt: 0,
    readElapsed: 0,
    isFresh: true,
    isClosed: false,
    isStored: true,
  };
  expect(at(5 * minuteMs, watch).shareMs).toBe(2_000);
  takeRead(watch, read, 0);
  expect(at(1 * minuteMs, watch).shareMs).toBe(2_000);
  expect(at(5 * minuteMs, watch).shareMs).toBe(4_000);
});
