import { createPace } from './pace.ts';

/** Why a ticket is to be read, the most urgent first: something happened, it is on screen, it counts for a badge. */
const lanes = ['hint', 'screen', 'badge'] as const;
type Lane = (typeof lanes)[number];

/** Turns that a lane takes in a row while a lane behind it waits: hints 3 of 4, the screen 7 of 8 of the rest. */
const mostInARow: Record<Lane, number> = { hint: 3, screen: 7, badge: Infinity };

/** Of the client's 16 connections for reads: the others are for customers who open a thread and for sends in doubt. */
export const maxUnderWay = 12;

/**
 * The queue of all background reads: first come, first served in each lane. A ticket is in it once, in the most urgent
 * lane that it was requested for. At most `perSecond` reads begin in any second.
 * @param read reads one ticket; must not reject
 */
export function createTurns({
  perSecond,
  elapsed,
  read,
}: {
  perSecond: number;
  elapsed: () => number;
  read: (ticketId: string) => Promise<void>;
}) {
  const waiting: Record<Lane, Set<string>> = { hint: new Set(), screen: new Set(), badge: new Set() };
  const inARow: Record<Lane, number> = { hint: 0, screen: 0, badge: 0 };
  const pace = createPace(perSecond, elapsed);
  let timer: NodeJS.Timeout | undefined;
  let underWay = 0;

  const laneOf = (ticketId: string) => lanes.find((lane) => waiting[lane].has(ticketId));
  const size = () => lanes.reduce((sum, lane) => sum + waiting[lane].size, 0);

  function nextLane(): Lane {
    for (const [place, lane] of lanes.entries()) {
      if (waiting[lane].size === 0) continue;
      const isAlone = lanes.slice(place + 1).every((other) => waiting[other].size === 0);
      inARow[lane] = isAlone || inARow[lane] >= mostInARow[lane] ? 0 : inARow[lane] + 1;
      if (isAlone || inARow[lane] > 0) return lane;
    }
    throw new Error('nothing waits');
  }

  function take(): string {
    const lane = waiting[nextLane()];
    const [ticketId] = lane;
    lane.delete(ticketId!);
    return ticketId!;
  }

  function run(): void {
    clearTimeout(timer);
    while (size() > 0 && underWay < maxUnderWay) {
      const waitMs = pace.waitMs();
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
    /** Puts a ticket at the end of a lane, unless it is there or in a more urgent one. */
    ask(ticketId: string, lane: Lane): void {
      const current = laneOf(ticketId);
      if (current && lanes.indexOf(current) <= lanes.indexOf(lane)) return;
      if (current) waiting[current].delete(ticketId);
      waiting[lane].add(ticketId);
      run();
    },
    cancel(ticketId: string): void {
      for (const lane of lanes) waiting[lane].delete(ticketId);
      if (size() === 0) clearTimeout(timer);
    },
    isWaiting: (ticketId: string): boolean => laneOf(ticketId) !== undefined,
  };
}
