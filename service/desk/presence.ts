import type { Agent } from '../agents/agents.ts';

/** What an agent does on a ticket's page. */
type Activity = 'looking' | 'writing';

/** The addresses of the other agents who have a ticket open. */
export interface Others {
  writing: string[];
  looking: string[];
}

/** A page asks every 3 seconds; one that has not asked for so long is closed or hidden. */
const shownMs = 15_000;

/**
 * Which agents have which ticket open, by what their pages ask for. In the memory of this process only. It knows nothing
 * of workspaces: its caller asks only for tickets that the agent may read.
 */
export function createPresence(now: () => Date) {
  const entries = new Map<string, { ticketId: string; agent: Agent; lookedAt: number; wroteAt: number }>();
  const keyOf = (ticketId: string, agent: Agent) => `${ticketId} ${agent.id}`;
  const isRecent = (at: number) => now().getTime() - at < shownMs;

  return {
    /** `isLoad`: the page was opened anew, so nothing is being written in an earlier one. */
    mark(ticketId: string, agent: Agent, activity: Activity, isLoad: boolean): void {
      for (const [key, { lookedAt }] of entries) if (!isRecent(lookedAt)) entries.delete(key);
      const key = keyOf(ticketId, agent);
      const lookedAt = now().getTime();
      // Another tab of the same agent may only be looking.
      const before = isLoad ? undefined : entries.get(key);
      const wroteAt = activity === 'writing' ? lookedAt : (before?.wroteAt ?? Number.NEGATIVE_INFINITY);
      entries.set(key, { ticketId, agent, lookedAt, wroteAt });
    },
    leave(ticketId: string, agent: Agent): void {
      entries.delete(keyOf(ticketId, agent));
    },
    others(ticketId: string, agent: Agent): Others {
      const here = [...entries.values()].filter(
        (entry) => entry.ticketId === ticketId && entry.agent.id !== agent.id && isRecent(entry.lookedAt),
      );
      const emails = (isWriting: boolean) =>
        here
          .filter(({ wroteAt }) => isRecent(wroteAt) === isWriting)
          .map((entry) => entry.agent.email)
          .sort();
      return { writing: emails(true), looking: emails(false) };
    },
  };
}
