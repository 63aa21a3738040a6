import { expect, it, vi } from 'vitest';
import { until } from '../../testing/streams.ts';
import { createFeed, keptMs } from './feed.ts';
import type { Change } from './change-log.ts';

const change = (about: string): Change => ({ kind: 'ticket', subjectId: null, about });

function setUp() {
  const clock = { ms: 0 };
  const told: Change[][] = [];
  const applied: (string | null)[] = [];
  const onMissed = vi.fn<() => void>();
  const errors: unknown[] = [];
  const changeLog = {
    append: vi.fn<(told: Change) => Promise<void>>(async () => {}),
    notify: vi.fn<() => Promise<void>>(async () => {}),
    end: vi.fn<() => Promise<Map<number, number>>>(async () => new Map()),
    read: async () => ({ changes: told.shift() ?? [], isMore: false }),
  };
  const feed = createFeed({
    changeLog,
    apply: async ({ about }) => {
      if (about === 'broken') throw new Error('broken');
      applied.push(about);
    },
    onMissed,
    elapsed: () => clock.ms,
    onError: (error) => errors.push(error),
  });
  return { clock, told, applied, onMissed, errors, changeLog, feed };
}

it('a change that cannot be applied is reported, and does not delay the others', async () => {
  const { feed, told, applied, errors } = setUp();
  await feed.start();
  told.push([change('one'), change('broken'), change('two')]);
  feed.wake();
  await until(() => expect(applied).toEqual(['one', 'two']));
  expect(errors).toHaveLength(1);
  await feed.stop();
});

it('an instance that was frozen for longer than changes are kept refreshes everything', async () => {
  const { clock, feed, onMissed } = setUp();
  await feed.start();
  feed.wake();
  expect(onMissed).not.toHaveBeenCalled();
  clock.ms += keptMs;
  feed.wake();
  await until(() => expect(onMissed).toHaveBeenCalledOnce());
  await feed.stop();
});

it('many changes at once wake the other instances twice at most', async () => {
  const { feed, changeLog } = setUp();
  await feed.start();
  await Promise.all(Array.from({ length: 50 }, (_, nth) => feed.publish(change(String(nth)))));
  await until(() => expect(changeLog.notify).toHaveBeenCalled());
  expect(changeLog.append).toHaveBeenCalledTimes(50);
  expect(changeLog.notify.mock.calls.length).toBeLessThan(3);
  await feed.stop();
});

it('a change that cannot be published is reported, and the caller continues', async () => {
  const { feed, changeLog, errors } = setUp();
  changeLog.append.mockRejectedValueOnce(new Error('away'));
  await feed.publish(change('one'));
  expect(errors).toHaveLength(1);
  await feed.stop();
});
