import type { V1TicketList } from '../../v1/schema.ts';
import { digestOf } from './comparison.ts';

/** Which tickets have changed from one list of the newest tickets to the next, or have come into it. */
export function createListChanges() {
  let last: ReadonlyMap<string, string> | undefined;
  return {
    take({ entries }: Pick<V1TicketList, 'entries'>): string[] {
      const before = last;
      last = new Map(entries.map((entry) => [entry.id, digestOf(entry)]));
      return before ? [...last].filter(([id, digest]) => before.get(id) !== digest).map(([id]) => id) : [];
    },
    /** There will be no lists for a while: what has moved until the next one is not known. */
    forget(): void {
      last = undefined;
    },
  };
}
