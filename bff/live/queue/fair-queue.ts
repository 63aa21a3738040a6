interface Entry {
  id: string;
  start: number;
  /** The sort key of the queue. */
  finish: number;
  /** The order of entries with the same finish. */
  order: number;
}

const isBefore = (a: Entry, b: Entry) => a.finish < b.finish || (a.finish === b.finish && a.order < b.order);

/**
 * A queue whose turns are shared by start-time fair queueing. Each ticket has an interval. When there are too few
 * turns, all tickets wait the same multiple of their intervals: a ticket with 2 s gets four times as many turns as
 * one with 8 s. No ticket starves, because the finish of served tickets grows beyond that of a waiting one. A new
 * ticket starts at the current progress, so it has no claim on the past.
 */
export function createFairQueue() {
  /** A binary heap, with the next entry first. It may contain removed entries, which are not in `waiting`. */
  const heap: Entry[] = [];
  const waiting = new Map<string, Entry>();
  /** The finish of each ticket's last turn, in the unit of the intervals. */
  const paid = new Map<string, number>();
  /** The latest start of a turn. */
  let progress = 0;
  let order = 0;

  function push(entry: Entry): void {
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  function pop(): Entry | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (!last || last === first) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const right = heap[child + 1];
      if (right && isBefore(right, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  /** Removes deleted entries, which would pile up while others keep the head. */
  function compact(): void {
    if (heap.length < 64 || heap.length < 2 * waiting.size) return;
    heap.length = 0;
    for (const entry of waiting.values()) push(entry);
  }

  return {
    /**
     * Adds a ticket that wants a turn every `everyMs`. A waiting ticket moves forward if it now wants a turn sooner.
     */
    ask(id: string, everyMs: number): void {
      const start = Math.max(progress, paid.get(id) ?? 0);
      const finish = start + everyMs;
      const current = waiting.get(id);
      if (current && current.finish <= finish) return;
      order += 1;
      const entry = { id, start, finish, order };
      waiting.set(id, entry);
      push(entry);
      compact();
    },
    /** Removes and returns the next ticket. Undefined when none waits. */
    take(): string | undefined {
      for (let entry = pop(); entry; entry = pop()) {
        if (waiting.get(entry.id) !== entry) continue;
        waiting.delete(entry.id);
        paid.set(entry.id, entry.finish);
        progress = Math.max(progress, entry.start);
        return entry.id;
      }
      return undefined;
    },
    /** Removes the ticket from the queue. It keeps its place in the order of turns. */
    remove(id: string): void {
      waiting.delete(id);
      compact();
    },
    /** Removes everything that is known of the ticket. */
    forget(id: string): void {
      this.remove(id);
      paid.delete(id);
    },
    has: (id: string): boolean => waiting.has(id),
    get size(): number {
      return waiting.size;
    },
  };
}
