import { createFairQueue } from './fair-queue.ts';
import { createPace } from './pace.ts';

/** Why something is to be read at once, the most urgent first: the list is due, a hint came, the list shows a change. */
const lanes = ['list', 'hint', 'moved'] as const;
type Lane = (typeof lanes)[number];
type Place = Lane | 'rest';
const places: readonly Place[] = [...lanes, 'rest'];

/**
 * Turns that a lane takes in a row while one behind it waits. So the rest gets a quarter of the turns when hints never
 * end, or when a list shows changes that are none, and a sixteenth with both. Only one list is due at a time.
 */
const mostInARow: Record<Place, number> = { list: Infinity, hint: 3, moved: 3, rest: Infinity };

/** Of the client's 16 connections for reads: the others are for customers who open a thread and for sends in doubt. */
export const maxUnderWay = 12;

/**
 * The queue of all background reads. Lanes come first, each in the order of asking. The rest shares the turns that are
 * left by how often each wants one (`fair-queue.ts`). An id is in the queue once, at the most urgent place that it was
 * asked for. At most `perSecond` reads begin in any second, and none while the service wants none.
 * @param heldMs for how long the service wants no reads, in milliseconds
 * @param read reads what has this id; must not reject
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
  const urgent: Record<Lane, Set<string>> = { list: new Set(), hint: new Set(), moved: new Set() };
  const rest = createFairQueue();
  const inARow: Record<Place, number> = { list: 0, hint: 0, moved: 0, rest: 0 };
  const pace = createPace(perSecond, elapsed);
  let timer: NodeJS.Timeout | undefined;
  let underWay = 0;

  const laneOf = (id: string) => lanes.find((lane) => urgent[lane].has(id));
  const sizeOf = (place: Place) => (place === 'rest' ? rest.size : urgent[place].size);
  const isEmpty = () => places.every((place) => sizeOf(place) === 0);

  function nextPlace(): Place {
    for (const [index, place] of places.entries()) {
      if (sizeOf(place) === 0) continue;
      const isAlone = places.slice(index + 1).every((other) => sizeOf(other) === 0);
      inARow[place] = isAlone || inARow[place] >= mostInARow[place] ? 0 : inARow[place] + 1;
      if (isAlone || inARow[place] > 0) return place;
    }
    throw new Error('nothing waits');
  }

  function take(): string {
    const place = nextPlace();
    if (place === 'rest') return rest.take()!;
    const [id] = urgent[place];
    urgent[place].delete(id!);
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
    /** Puts it at the end of a lane, unless it is there or in a more urgent one. */
    askNow(id: string, lane: Lane): void {
      const current = laneOf(id);
      if (current && lanes.indexOf(current) <= lanes.indexOf(lane)) return;
      if (current) urgent[current].delete(id);
      rest.remove(id);
      urgent[lane].add(id);
      run();
    },
    /** Lets it wait with the rest, as one that wants a turn every `everyMs`, unless it is in a lane. */
    ask(id: string, everyMs: number): void {
      if (laneOf(id)) return;
      rest.ask(id, everyMs);
      run();
    },
    /** Takes it out, for good. */
    cancel(id: string): void {
      for (const lane of lanes) urgent[lane].delete(id);
      rest.forget(id);
      if (isEmpty()) clearTimeout(timer);
    },
    isWaiting: (id: string): boolean => laneOf(id) !== undefined || rest.has(id),
  };
}
