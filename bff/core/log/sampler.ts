interface Kind {
  count: number;
  limit: number;
  onLeftOut: (count: number) => void;
}

/**
 * Admits some lines of each kind in a window and counts the rest. A window begins with its first line and is the same
 * for all kinds.
 */
export function createSampler(windowMs: number) {
  const kinds = new Map<string, Kind>();
  let timer: NodeJS.Timeout | undefined;

  function endWindow(): void {
    clearTimeout(timer);
    timer = undefined;
    const ended = [...kinds.values()];
    kinds.clear();
    for (const { count, limit, onLeftOut } of ended) if (count > limit) onLeftOut(count - limit);
  }

  return {
    /**
     * Whether one more line of this kind may be written.
     * @param onLeftOut called at the end of the window with the number of lines that were not written, if there are any
     */
    admits(name: string, limit: number, onLeftOut: (count: number) => void): boolean {
      timer ??= setTimeout(endWindow, windowMs).unref();
      const kind = kinds.get(name) ?? { count: 0, limit, onLeftOut };
      kinds.set(name, kind);
      kind.count += 1;
      return kind.count <= limit;
    },
    endWindow,
  };
}

/** How many log lines are written. Further lines are only counted. */
export const logLines = {
  windowMs: 60_000,
  /** For one code, in a window. */
  perCode: 30,
  /** For requests with one route, status and error code, in a window. Failures of the server are not among them. */
  perRequestKind: 600,
} as const;
