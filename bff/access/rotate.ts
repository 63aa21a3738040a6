import type { Session as SessionView } from '../contract/session.ts';
import type { Live } from '../live/live.ts';
import type { NewSession, Sessions } from '../session/sessions.ts';
import type { Subject } from '../session/subjects.ts';
import type { Views } from '../tickets/views.ts';
import type { Visitor } from './visitor.ts';

/** What a change of rights gives: a session for the browser, and what it shows. */
export interface SignedIn {
  issued: NewSession;
  view: SessionView;
}

/**
 * The visitor acts for `subject` from now on, under a new token that lives until `notAfter` (Unix milliseconds) at the
 * longest; the session that asked for it is over.
 */
export type Rotate = (visitor: Visitor, subject: Subject, notAfter?: number) => Promise<SignedIn>;

export function createRotate(deps: { sessions: Sessions; views: Views; live: Live }): Rotate {
  const { sessions, views, live } = deps;
  return async ({ session, isBearer }, subject, notAfter) => {
    const kind = { isSignedIn: subject.isSignedIn, isBearer };
    const issued = await sessions.issue(subject.id, kind, notAfter);
    if (session) {
      await sessions.end(session.id);
      live.restart(session.subjectId);
    }
    return { issued, view: await views.session(subject) };
  };
}
