import { refOf } from '../../core/tickets/footer.ts';
import type { V1Thread, V1TicketList } from '../../core/v1/schema.ts';
import type { Core } from '../../core/wiring.ts';
import type { ExternalTickets, TicketToGrant } from './external-tickets.ts';

/**
 * The least time between two reads of the list. It is read only for visiting customers who have proven an address.
 */
const listEveryMs = 10_000;
/** The interval that a read asks the queue for. It is long, so that reads for open pages go first. */
const patientMs = 15_000;
/** How many tickets are granted at once, at most. */
const grantedAtOnce = 50;

/**
 * A ticket that this or another Deskside has opened belongs to the visitor who typed the address there, until its
 * owner claims it.
 */
const isExternal = ({ description }: { description: string }) => refOf(description) === null;

/** Ticket ids have no control characters, so the name differs from all of them. */
const nameOf = (ticketId: string) => `\0history ${ticketId}`;
const listName = '\0history';

/**
 * Finds tickets that customers opened elsewhere, such as by mail, once they have proven their address. They are found
 * in the list of the newest tickets. One read of each ticket finds its customer. Another read, just before the grant,
 * confirms it.
 */
export function createHistory(
  { subjects, v1, live, elapsed, report }: Pick<Core, 'subjects' | 'v1' | 'live' | 'elapsed' | 'report'>,
  externalTickets: ExternalTickets,
  readListEveryMs = listEveryMs,
) {
  /** Subjects whose search has not been served yet. */
  const searching = new Set<string>();
  const searchingNext = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let listReadAt = -Infinity;
  let running: Promise<void> | null = null;

  /**
   * The hash of the customer's address. Null when there is none, or when the ticket was not opened elsewhere after
   * all.
   */
  const hashOf = (thread: V1Thread) => {
    const email = thread.customer?.email;
    // This needs the whole thread, since the list may leave out the text.
    return email && isExternal(thread) ? subjects.addressHash(email) : null;
  };

  /** Reads a ticket when its turn comes; null when it cannot be read now. */
  async function read(ticketId: string): Promise<V1Thread | null> {
    let thread: V1Thread | null = null;
    let isGone = false;
    await live.inTurn(nameOf(ticketId), patientMs, async () => {
      const result = await v1.getTicket(ticketId);
      if (result.ok) thread = result.data;
      isGone = !result.ok && result.failure.kind === 'refused' && result.failure.status === 404;
      return result.ok || isGone;
    });
    if (isGone) await externalTickets.remove(ticketId);
    return thread;
  }

  async function readList(): Promise<void> {
    let list: V1TicketList | undefined;
    await live.inTurn(listName, readListEveryMs, async () => {
      const result = await v1.listTickets();
      if (result.ok) list = result.data;
      return result.ok;
    });
    if (!list) return;
    listReadAt = elapsed();
    const ids = list.entries.filter(isExternal).map(({ id }) => id);
    for (const ticketId of await externalTickets.notRecorded(ids)) {
      const thread = await read(ticketId);
      if (thread) await externalTickets.record(ticketId, hashOf(thread));
    }
  }

  /** A read has shown the ticket's customer. SECURITY: the ticket is taken from all other holders. */
  async function customerChanged(ticketId: string, addressHash: string): Promise<void> {
    const losers = await externalTickets.setCustomer(ticketId, addressHash);
    losers.forEach(live.restart);
  }

  /** Returns whether the subject got the ticket. */
  async function grant(ticket: TicketToGrant): Promise<boolean> {
    const thread = await read(ticket.ticketId);
    if (!thread) return false;
    const hash = hashOf(thread);
    if (hash === null) return false;
    // SECURITY: the ticket may have got another customer since it was found.
    await customerChanged(ticket.ticketId, hash);
    return externalTickets.grant(ticket, hash, thread);
  }

  async function serve(subjectIds: readonly string[]): Promise<void> {
    const asking = await subjects.findAll(subjectIds);
    const served = subjectIds.filter((id) => asking.get(id)?.addressHash);
    if (served.length === 0) return;
    const waitMs = listReadAt + readListEveryMs - elapsed();
    if (waitMs <= 0) await readList();
    else searchLater(served, waitMs);
    const granted = new Set<string>();
    for (const ticket of await externalTickets.toGrant(served, grantedAtOnce))
      if (await grant(ticket)) granted.add(ticket.subjectId);
    granted.forEach(live.restart);
  }

  /** Searches again later, for subjects who came after the last read of the list. */
  function searchLater(subjectIds: readonly string[], waitMs: number): void {
    for (const id of subjectIds) searchingNext.add(id);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const id of searchingNext) searching.add(id);
      searchingNext.clear();
      start();
    }, waitMs).unref();
  }

  function start(): void {
    if (running) return;
    const subjectIds = [...searching];
    searching.clear();
    running = serve(subjectIds)
      .catch(report('history_failed'))
      .finally(() => {
        running = null;
        // Serves subjects who came during this search.
        if (searching.size > 0) start();
      });
  }

  /** Resolves when no search is in progress. */
  async function settled(): Promise<void> {
    await running;
    if (running) await settled();
  }

  return {
    /**
     * To be called when the subject visits its tickets. If it has proven an address, more tickets are searched in the
     * background.
     */
    search(subjectId: string): void {
      searching.add(subjectId);
      start();
    },

    /** SECURITY: must be called before anybody sees the read. Its customer may have changed since it was found. */
    async ticketRead(ticketId: string, { customer }: V1Thread): Promise<void> {
      if (!customer?.email) return;
      const hash = subjects.addressHash(customer.email);
      const known = await externalTickets.customerOf(ticketId);
      if (known !== null && known !== hash) await customerChanged(ticketId, hash);
    },

    /** No further search begins without a call. */
    stop(): void {
      clearTimeout(timer);
    },

    settled,
  };
}
