import type { V1TicketList } from '../../v1/schema.ts';
import { digestOf } from './comparison.ts';

/** Finds tickets that have changed, or are new, between two lists of the newest tickets. */
export function createListChanges() {
  let last: ReadonlyMap<string, string> | undefined;
  return {
    update({ entries }: Pick<V1TicketList, 'entries'>): string[] {
      const before = last;
      last = new Map(entries.map((entry) => [entry.id, digestOf(entry)]));
      return before ? [...last].filter(([id, digest]) => before.get(id) !== digest).map(([id]) => id) : [];
    },
    /** To be called when no lists are read for a while. The next list then shows no changes. */
    forget(): void {
      last = undefined;
    },
  };
}
