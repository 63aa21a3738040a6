import { createFairQueue } from './fair-queue.ts';
import { createPace } from './pace.ts';

/** Reasons for a read at once, the most urgent first: the list is due, a hint came, the list shows a change. */
const urgencies = ['list', 'hint', 'moved'] as const;
type Urgency = (typeof urgencies)[number];
type Priority = Urgency | 'rest';
const priorities: readonly Priority[] = [...urgencies, 'rest'];

/**
 * How many turns in a row one priority takes while a lower one waits. With endless hints, or with false changes in a
 * list, the other reads still get a quarter of the turns. With both, they get a sixteenth. Only one list is due at a
 * time.
 */
const mostInARow: Record<Priority, number> = { list: Infinity, hint: 3, moved: 3, rest: Infinity };

/**
 * Of the client's 16 connections for reads. The remaining ones are for customers who open a thread and for sends in
 * doubt.
 */
export const maxUnderWay = 12;

/**
 * The queue of all background reads. Urgent reads come first, in the order of asking within each urgency. The other
 * reads share the remaining turns by their intervals (`fair-queue.ts`). An id is in the queue once, at the highest
 * priority that it was queued with. At most `perSecond` reads begin in any second, and none while the service asks
 * for a pause.
 * @param heldMs the length of the service's pause, in milliseconds
 * @param read makes the read with this id; must not reject
 */
export function createTurns({
  perSecond,
  elapsed,
  heldMs,
  read,
}: {
  perSecond: () => number;
  elapsed: () => number;
  heldMs: () => number;
  read: (id: string) => Promise<void>;
}) {
  const urgent: Record<Urgency, Set<string>> = { list: new Set(), hint: new Set(), moved: new Set() };
  const rest = createFairQueue();
  const inARow: Record<Priority, number> = { list: 0, hint: 0, moved: 0, rest: 0 };
  const pace = createPace(perSecond, elapsed);
  let timer: NodeJS.Timeout | undefined;
  let underWay = 0;

  const urgencyOf = (id: string) => urgencies.find((urgency) => urgent[urgency].has(id));
  const sizeOf = (priority: Priority) => (priority === 'rest' ? rest.size : urgent[priority].size);
  const isEmpty = () => priorities.every((priority) => sizeOf(priority) === 0);

  function nextPriority(): Priority {
    for (const [index, priority] of priorities.entries()) {
      if (sizeOf(priority) === 0) continue;
      const isAlone = priorities.slice(index + 1).every((other) => sizeOf(other) === 0);
      inARow[priority] = isAlone || inARow[priority] >= mostInARow[priority] ? 0 : inARow[priority] + 1;
      if (isAlone || inARow[priority] > 0) return priority;
    }
    throw new Error('nothing waits');
  }

  function take(): string {
    const priority = nextPriority();
    if (priority === 'rest') return rest.take()!;
    const [id] = urgent[priority];
    urgent[priority].delete(id!);
    return id!;
  }

  function run(): void {
    clearTimeout(timer);
    while (!isEmpty() && underWay < maxUnderWay) {
      const waitMs = Math.max(pace.waitMs(), heldMs());
      if (waitMs > 0) {
        timer = setTimeout(run, Math.ceil(waitMs));
        timer.unref();
        return;
      }
      pace.take();
      underWay += 1;
      void read(take()).finally(() => {
        underWay -= 1;
        run();
      });
    }
  }

  return {
    /** Queues an urgent read after the others of this urgency, unless it waits with this or a higher urgency. */
    askNow(id: string, urgency: Urgency): void {
      const current = urgencyOf(id);
      if (current && urgencies.indexOf(current) <= urgencies.indexOf(urgency)) return;
      if (current) urgent[current].delete(id);
      rest.remove(id);
      urgent[urgency].add(id);
      run();
    },
    /** Queues a read that wants a turn every `everyMs`, unless it waits as an urgent one. */
    ask(id: string, everyMs: number): void {
      if (urgencyOf(id)) return;
      rest.ask(id, everyMs);
      run();
    },
    /** Removes a read for good. */
    cancel(id: string): void {
      for (const urgency of urgencies) urgent[urgency].delete(id);
      rest.forget(id);
      if (isEmpty()) clearTimeout(timer);
    },
    isWaiting: (id: string): boolean => urgencyOf(id) !== undefined || rest.has(id),
  };
}
