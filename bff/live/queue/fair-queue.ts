interface Entry {
  id: string;
  start: number;
  /** What orders the queue. */
  finish: number;
  /** Of entries with the same finish the one that came first goes first. */
  order: number;
}

const isBefore = (a: Entry, b: Entry) => a.finish < b.finish || (a.finish === b.finish && a.order < b.order);

/**
 * A queue whose turns are shared by start-time fair queueing. Each ticket says how often it wants a turn. When there are
 * too few, all wait the same multiple of what they want: one that wants a turn every 2 s gets four times as many as one
 * that wants it every 8 s. Nobody starves, since the finish of those who are served grows beyond that of who waits. A
 * newcomer starts where the queue is, so that it has no claim on the past.
 */
export function createFairQueue() {
  /** A binary heap, with the next one first. Has entries that were taken out: `waiting` tells. */
  const heap: Entry[] = [];
  const waiting = new Map<string, Entry>();
  /** The finish of the last turn, in the same unit as the intervals. */
  const paid = new Map<string, number>();
  /** How far the queue is: the latest start of a turn. */
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

  /** Entries taken out must not pile up while others keep the head. */
  function compact(): void {
    if (heap.length < 64 || heap.length < 2 * waiting.size) return;
    heap.length = 0;
    for (const entry of waiting.values()) push(entry);
  }

  return {
    /** Lets a ticket wait that wants a turn every `everyMs`. One that waits goes ahead if it now wants it sooner. */
    ask(id: string, everyMs: number): void {
      const start = Math.max(progress, paid.get(id) ?? 0);
      const finish = start + everyMs;
      const standing = waiting.get(id);
      if (standing && standing.finish <= finish) return;
      order += 1;
      const entry = { id, start, finish, order };
      waiting.set(id, entry);
      push(entry);
      compact();
    },
    /** Whose turn it is. Undefined when nobody waits. */
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
    /** The ticket waits no more; it keeps its place in the order of turns. */
    remove(id: string): void {
      waiting.delete(id);
      compact();
    },
    /** The ticket is gone. */
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
