import type { OperationRow } from '../../store/schema.ts';

interface Entry {
  ticketId: string | null;
  isFound: boolean;
  work: Promise<void>;
}

/** The operations that this process sends or settles at the moment, by their ids. */
export function createInProgress() {
  const entries = new Map<string, Entry>();

  return {
    get size(): number {
      return entries.size;
    },
    /** How many of them polls have found. */
    get found(): number {
      return [...entries.values()].filter(({ isFound }) => isFound).length;
    },
    has: (id: string): boolean => entries.has(id),
    /** Whether one of them is for this ticket. */
    hasTicket: (ticketId: string): boolean =>
      [...entries.values()].some((entry) => entry.ticketId === ticketId),
    add: ({ id, ticket_id: ticketId }: OperationRow, isFound: boolean, work: Promise<void>): void =>
      void entries.set(id, { ticketId, isFound, work }),
    delete: (id: string): boolean => entries.delete(id),
    /** Resolves when those that are in progress now have ended. */
    settle: (): Promise<unknown> => Promise.all([...entries.values()].map(({ work }) => work)),
  };
}
