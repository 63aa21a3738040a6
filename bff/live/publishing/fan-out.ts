import type { Sessions } from '../../session/sessions.ts';
import type { Grants, HeldGrant } from '../../tickets/grants.ts';
import type { ThreadRead } from '../../tickets/threads.ts';
import type { Views } from '../../tickets/views.ts';
import type { Subscriber } from '../streams/hub.ts';
import { type StreamEvent, ThreadEvents, toEvent } from '../streams/stream-event.ts';

interface FanOutDeps {
  grants: Pick<Grants, 'findAll'>;
  views: Pick<Views, 'sessions' | 'ofHolders' | 'messages'>;
  sessions: Pick<Sessions, 'findLive'>;
}

/** What one subscriber is to be sent of a ticket. */
export interface TicketView {
  /** Undefined where the thread is not on screen, or was not read. */
  thread: ThreadEvents | undefined;
  events: StreamEvent[];
}

/** Why a subscriber is sent nothing: the session is over, or the ticket is not theirs (any more). */
export type Refusal = 'ended' | 'foreign';

/** Makes each value once. */
function memo<Value>() {
  const made = new Map<string, Value>();
  return (key: string, make: () => Value): Value => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make();
    made.set(key, value);
    return value;
  };
}

/**
 * One change of a ticket, for all who have a stream: what is equal for several of them is made once. `read`: the thread
 * as last read. Answers a function that looks up what some subscribers may see by now.
 */
export function createFanOut({ grants, views, sessions }: FanOutDeps) {
  return (ticketId: string, read: ThreadRead | undefined) => {
    /** By the trust alone: of holders who have sent nothing to the ticket. */
    const plainThreads = memo<ThreadEvents>();

    return async (to: readonly Subscriber[]): Promise<(one: Subscriber) => TicketView | Refusal> => {
      const subjectIds = [...new Set(to.map(({ subjectId }) => subjectId))];
      const holders = await views.ofHolders(ticketId, subjectIds);
      const sessionOf = await views.sessions(to);
      // SECURITY: the rights come last, and what is sent is chosen by them without a wait in between.
      const live = await sessions.findLive(to.map(({ sessionId }) => sessionId));
      const held = await grants.findAll(subjectIds, ticketId);

      const ownThreads = memo<ThreadEvents>();
      const summaries = memo<StreamEvent | null>();
      const sessionEvents = memo<StreamEvent>();
      const hasSent = (subjectId: string) => holders.sentOf(subjectId).length > 0;

      // SECURITY: a key names all that a view depends on, so that views with the same key are equal.
      function threadOf(grant: HeldGrant, of: ThreadRead): ThreadEvents {
        const make = () =>
          new ThreadEvents(ticketId, views.messages(grant, of, holders.sentOf(grant.subjectId)));
        return hasSent(grant.subjectId)
          ? ownThreads(grant.subjectId, make)
          : plainThreads(String(grant.isTrusted), make);
      }

      function summaryOf(grant: HeldGrant): StreamEvent | null {
        const key = hasSent(grant.subjectId) ? grant.subjectId : String(grant.readCount);
        return summaries(key, () => {
          const summary = holders.summaryOf(grant);
          return summary && toEvent('ticket', ticketId, summary);
        });
      }

      return (one) => {
        const session = sessionOf(one);
        if (!session || !live.has(one.sessionId)) return 'ended';
        const grant = held.get(one.subjectId);
        if (!grant) return 'foreign';
        const key = `${one.subjectId} ${session.transferable}`;
        const sessionEvent = sessionEvents(key, () => toEvent('session', '', session));
        const summary = summaryOf(grant);
        return {
          thread: read && one.thread === ticketId ? threadOf(grant, read) : undefined,
          events: summary ? [summary, sessionEvent] : [sessionEvent],
        };
      };
    };
  };
}
