import type { Live } from '../live/live.ts';
import type { Subjects } from '../session/subjects.ts';
import { refOf } from '../tickets/footer.ts';
import type { V1Client } from '../v1/client.ts';
import type { V1Thread, V1TicketList } from '../v1/schema.ts';
import type { Listed, Missing } from './listed.ts';

/** The list is read at most so often, and only for customers who have proven an address and look. */
const lookEveryMs = 30_000;
/** How soon a read is wanted whose finding nobody knows of: others go first. */
const patientMs = 15_000;
/** Most tickets that are given at once. */
const givenAtOnce = 50;

/** No id of a ticket has a control character. */
const nameOf = (ticketId: string) => `\0history ${ticketId}`;
const listName = '\0history';

interface HistoryDeps {
  listed: Listed;
  subjects: Pick<Subjects, 'findAll' | 'addressHash'>;
  v1: Pick<V1Client, 'listTickets' | 'getTicket'>;
  inTurn: Live['inTurn'];
  /** The subject's list has changed. */
  onGiven: (subjectId: string) => void;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

/**
 * Tickets that customers opened elsewhere, such as by mail, for those who have proven their address: found in the list of
 * the newest tickets, whose customer one read of each tells, and given after another look at it.
 */
export function createHistory({ listed, subjects, v1, inTurn, onGiven, elapsed, onError }: HistoryDeps) {
  /** Who looks for tickets and has not been served yet. */
  const wanting = new Set<string>();
  let lookedAt = -Infinity;
  let running: Promise<void> | null = null;

  const hashOf = ({ customer }: V1Thread) => {
    const email = customer?.email;
    return email ? subjects.addressHash(email) : null;
  };

  /** Reads a ticket when its turn comes; null when it cannot be read now. */
  async function read(ticketId: string): Promise<V1Thread | null> {
    let thread: V1Thread | null = null;
    await inTurn(nameOf(ticketId), patientMs, async () => {
      const result = await v1.getTicket(ticketId);
      if (result.ok) thread = result.data;
      // One that is gone is an answer as well.
      return result.ok || result.failure.kind === 'refused';
    });
    return thread;
  }

  async function look(): Promise<void> {
    let list: V1TicketList | undefined;
    await inTurn(listName, lookEveryMs, async () => {
      const result = await v1.listTickets();
      if (result.ok) list = result.data;
      return result.ok;
    });
    // What this or another Deskside has opened belongs to who typed the address there, until they claim it.
    const elsewhere = (list?.entries ?? []).filter(({ description }) => refOf(description) === null);
    for (const ticketId of await listed.unknown(elsewhere.map(({ id }) => id))) {
      const thread = await read(ticketId);
      if (thread) await listed.record(ticketId, hashOf(thread));
    }
  }

  async function give(missing: Missing): Promise<void> {
    const thread = await read(missing.ticketId);
    if (!thread) return;
    const hash = hashOf(thread);
    // SECURITY: the ticket may have got another customer since it was found.
    await listed.record(missing.ticketId, hash);
    if (hash !== null && (await listed.give(missing, hash, thread))) onGiven(missing.subjectId);
  }

  async function serve(): Promise<void> {
    const asking = await subjects.findAll([...wanting]);
    for (const subjectId of wanting) if (!asking.get(subjectId)?.addressHash) wanting.delete(subjectId);
    if (wanting.size === 0) return;
    if (elapsed() - lookedAt >= lookEveryMs) {
      lookedAt = elapsed();
      await look();
    }
    const served = [...wanting];
    wanting.clear();
    for (const missing of await listed.missing(served, givenAtOnce)) await give(missing);
  }

  function start(): void {
    running ??= serve()
      .catch(onError)
      .finally(() => {
        running = null;
        // Who came while others were served.
        if (wanting.size > 0) start();
      });
  }

  return {
    /** The subject looks at its tickets: finds more of them, in the background, if it has proven an address. */
    want(subjectId: string): void {
      wanting.add(subjectId);
      start();
    },

    /** Resolves when nothing is under way. */
    async settled(): Promise<void> {
      await running;
      if (running) await this.settled();
    },
  };
}

export type History = ReturnType<typeof createHistory>;
