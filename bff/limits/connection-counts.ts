/** How many connections each key has open; keys without any are removed. */
export function createConnectionCounts() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add: (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1),
    subtract(key: string): void {
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}
