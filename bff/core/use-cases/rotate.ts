import type { Session as SessionView } from '../../../shared/contract/session.ts';
import type { Live } from '../live/live.ts';
import type { NewSession, Sessions } from '../identity/sessions.ts';
import type { Subject } from '../identity/subjects.ts';
import type { Transfers } from '../tickets/transfers.ts';
import type { Views } from '../tickets/views.ts';
import type { Visitor } from './visitor.ts';

/** The result of a change of rights: a session for the browser, and the data that it shows. */
export interface SignedIn {
  issued: NewSession;
  view: SessionView;
}

/**
 * From now on the visitor acts for `subject`, with a new token that is valid until `notAfter` (Unix milliseconds) at
 * most. The session that asked for it ends. An offer to the subject in this browser is kept.
 */
export type Rotate = (visitor: Visitor, subject: Subject, notAfter?: number) => Promise<SignedIn>;

export function createRotate(deps: {
  sessions: Sessions;
  transfers: Transfers;
  views: Views;
  live: Live;
}): Rotate {
  const { sessions, transfers, views, live } = deps;
  return async ({ session, tokenHash, isBearer }, subject, notAfter) => {
    const kind = { isSignedIn: subject.isSignedIn, isBearer };
    const issued = await sessions.issue(subject.id, kind, notAfter);
    const offerMs = tokenHash
      ? await transfers.carry(tokenHash, sessions.hashOf(issued.token), subject.id)
      : 0;
    if (session) {
      await sessions.end(session.id);
      live.restart(session.subjectId);
    }
    return {
      issued: { ...issued, lifetimeMs: Math.max(issued.lifetimeMs, offerMs) },
      view: await views.session(subject, issued.session.id),
    };
  };
}
