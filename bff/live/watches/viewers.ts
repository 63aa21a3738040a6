import type { ThreadRead } from '../../tickets/threads.ts';
import type { Subscriber } from '../streams/hub.ts';
import type { Publisher } from '../publishing/publish.ts';
import { slicesOf } from '../streams/slices.ts';
import { toEvent } from '../streams/stream-event.ts';
import type { Watch } from './watch-state.ts';

/**
 * Sends each viewer the parts of the last read that are new to them. Returns the viewers who may no longer see the
 * ticket.
 */
export async function sendToViewers(
  publisher: Pick<Publisher, 'ticket'>,
  ticketId: string,
  { viewers, seen: { digest } }: Watch,
  read: ThreadRead,
): Promise<Set<Subscriber>> {
  const due = [...viewers].flatMap(([viewer, sent]) => (sent === digest ? [] : viewer));
  const gone = await publisher.ticket(due, ticketId, read);
  for (const viewer of due) if (!gone.has(viewer) && viewers.has(viewer)) viewers.set(viewer, digest);
  return gone;
}

/** A viewer of a thread is notified about that thread only, a viewer of the list about every ticket in it. */
export async function sendFreshness(ticketId: string, { viewers }: Watch, isFresh: boolean): Promise<void> {
  const events = [toEvent('freshness', '', { fresh: isFresh })];
  for await (const slice of slicesOf([...viewers.keys()]))
    for (const viewer of slice) if ((viewer.thread ?? ticketId) === ticketId) viewer.sendNew(events);
}
