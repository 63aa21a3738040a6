import { setTimeout as sleep } from 'node:timers/promises';
import { listLimit } from '../../core/v1/client.ts';
import { countAgentMessages } from '../../core/tickets/present.ts';
import type { V1Thread } from '../../core/v1/schema.ts';
import type { Core } from '../../core/wiring.ts';
import type { ReadSchedule } from './read-schedule.ts';
import type { Notices } from './notices.ts';

/** Includes reads that wait for their turn. More of them would only wait here instead of in the store. */
const atOnce = 100;
const listEveryMs = 60_000;
/** The pause while the service cannot be read. */
const againMs = 5 * 60_000;
/** The interval that a read asks the queue for. A customer without an open page can wait as long as a badge. */
const forMailMs = 15_000;
/** A longer read is given up and tried again later. */
const longestReadMs = 60_000;

/** Ticket ids have no control characters, so the name differs from all of them. */
const readName = (ticketId: string) => `\0read ${ticketId}`;
const mailName = (ticketId: string) => `\0mail ${ticketId}`;
const listName = '\0list';

/**
 * Reads tickets that no open page shows, for customers who want a mail. The reads wait in the queue of the open
 * pages, with intervals so long that the open pages go first.
 */
export function createBackgroundReader(
  { threads, v1, live: { inTurn }, elapsed }: Core,
  schedule: ReadSchedule,
  notices: Notices,
  onError: (error: unknown) => void,
) {
  let listedAt = -Infinity;
  const running = new Set<Promise<unknown>>();

  function inBackground(work: Promise<unknown>): void {
    const done = work.catch(onError).finally(() => running.delete(done));
    running.add(done);
  }

  async function read(ticketId: string): Promise<boolean> {
    const found = await threads.refresh(ticketId).catch(() => null);
    if (!found?.isFresh) return false;
    // A read by a build without mails may have stored the answers already.
    await notices.answersSeen(ticketId, countAgentMessages(found.thread)).catch(onError);
    return true;
  }

  async function readInTurn(ticketId: string, pauseMs: number): Promise<void> {
    const isGood = await inTurn(readName(ticketId), pauseMs, () => read(ticketId));
    if (!isGood) await schedule.again(ticketId, againMs);
  }

  async function readList(): Promise<boolean> {
    const list = await v1.listTickets(listLimit);
    if (list.ok) await schedule.compare(list.data.entries).catch(onError);
    return list.ok;
  }

  return {
    /** Starts the reads that are due. */
    async begin(): Promise<void> {
      const free = atOnce - running.size;
      const taken = free > 0 ? await schedule.take(free) : [];
      for (const { ticketId, pauseMs } of taken) inBackground(readInTurn(ticketId, pauseMs));
      if (elapsed() - listedAt >= listEveryMs && (await schedule.count()) > 0) {
        listedAt = elapsed();
        inBackground(inTurn(listName, listEveryMs, readList));
      }
    },

    /** The conversation, with at least this many answers unless some were removed. Null when it cannot be read. */
    async readThread(ticketId: string, answers: number): Promise<V1Thread | null> {
      const known = threads.known(ticketId);
      if (known && countAgentMessages(known.thread) >= answers) return known.thread;
      // Later mails must not wait for it.
      if (v1.readsHeldMs() > 0) return null;
      const isGood = await Promise.race([
        inTurn(mailName(ticketId), forMailMs, () => read(ticketId)),
        sleep(longestReadMs, false, { ref: false }),
      ]);
      return (isGood && threads.known(ticketId)?.thread) || null;
    },

    /** Resolves when the current reads are done. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export type BackgroundReader = ReturnType<typeof createBackgroundReader>;
