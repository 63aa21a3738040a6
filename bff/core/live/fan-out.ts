import type { Sessions } from '../identity/sessions.ts';
import type { Grants, HeldGrant } from '../tickets/grants.ts';
import type { ThreadRead } from '../tickets/threads.ts';
import type { Views } from '../tickets/views.ts';
import type { Viewer } from './viewers.ts';
import { type StreamEvent, ThreadEvents, toEvent } from './stream-event.ts';

interface FanOutDeps {
  grants: Pick<Grants, 'findAll'>;
  views: Pick<Views, 'sessions' | 'ofHolders' | 'messages'>;
  sessions: Pick<Sessions, 'findLive'>;
}

/** The content of a ticket for one viewer. */
export interface TicketView {
  /** Undefined when the thread is not on screen, or was not read. */
  thread: ThreadEvents | undefined;
  events: StreamEvent[];
}

/** Why a viewer gets nothing: the session has ended, or the ticket is not (or no longer) theirs. */
export type Refusal = 'ended' | 'foreign';

/** Creates each value once. */
function memo<Value>() {
  const made = new Map<string | object, Value>();
  return (key: string | object, make: () => Value): Value => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make();
    made.set(key, value);
    return value;
  };
}

/**
 * Makes the function that prepares one change of a ticket for all its open streams. Values that several streams share are
 * made once. `read`: the thread as last read, undefined without one. It returns a function that looks up the rights of
 * given viewers, and resolves with another, which says what each of them may see.
 */
export function createFanOut({ grants, views, sessions }: FanOutDeps) {
  return (ticketId: string, read: ThreadRead | undefined) => {
    /** For holders who have sent nothing to the ticket. Their threads differ only by the rights of the grant. */
    const plainThreads = memo<ThreadEvents>();

    return async (to: readonly Viewer[]): Promise<(one: Viewer) => TicketView | Refusal> => {
      const subjectIds = [...new Set(to.map(({ subjectId }) => subjectId))];
      const holders = await views.ofHolders(ticketId, subjectIds);
      const sessionOf = await views.sessions(to);
      // SECURITY: the rights are read last, and are applied without waiting in between.
      const live = await sessions.findLive(to.map(({ sessionId }) => sessionId));
      const grantsBySubject = await grants.findAll(subjectIds, ticketId);

      const ownThreads = memo<ThreadEvents>();
      const summaries = memo<StreamEvent | null>();
      const sessionEvents = memo<StreamEvent>();
      const hasSent = (subjectId: string) => holders.sentOf(subjectId).length > 0;

      // SECURITY: the key names everything that a view depends on, so that only equal views share a key.
      function threadOf(grant: HeldGrant, of: ThreadRead): ThreadEvents {
        const make = () =>
          new ThreadEvents(ticketId, views.messages(grant, of, holders.sentOf(grant.subjectId)));
        return hasSent(grant.subjectId)
          ? ownThreads(grant.subjectId, make)
          : plainThreads(`${grant.isTrusted} ${grant.isColleague}`, make);
      }

      function summaryOf(grant: HeldGrant): StreamEvent | null {
        const key = hasSent(grant.subjectId) ? grant.subjectId : `${grant.readCount} ${grant.isColleague}`;
        return summaries(key, () => {
          const summary = holders.summaryOf(grant);
          return summary && toEvent('ticket', ticketId, summary);
        });
      }

      return (viewer) => {
        const session = sessionOf(viewer);
        if (!session || !live.has(viewer.sessionId)) return 'ended';
        const grant = grantsBySubject.get(viewer.subjectId);
        if (!grant) return 'foreign';
        const sessionEvent = sessionEvents(session, () => toEvent('session', '', session));
        const summary = summaryOf(grant);
        return {
          thread: read && viewer.thread === ticketId ? threadOf(grant, read) : undefined,
          events: summary ? [summary, sessionEvent] : [sessionEvent],
        };
      };
    };
  };
}
