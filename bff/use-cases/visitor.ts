import { AppError } from '../errors.ts';
import type { LimitState } from '../limits/limits.ts';
import type { Session } from '../session/sessions.ts';
import type { Subject } from '../session/subjects.ts';

/** Whoever sent one request, as far as the BFF has checked it. */
export interface Visitor {
  session: Session | null;
  /** Whom the session acted for when the request came; null without one. */
  subject: Subject | null;
  /** Hash of the shown token, valid or not; null without one. */
  tokenHash: string | null;
  /** The request was made for another customer than the one whose session the browser has now. */
  isOthers: boolean;
  /** The shown token is no longer valid, or belongs to another customer than the request was made for. */
  isStale: boolean;
  /** Keeps no cookie: its token travels in answers and in `Authorization`. */
  isBearer: boolean;
  /** Bucket of the network address, for limits only. */
  address: string;
  /** A solved challenge, unchecked. */
  proof: string | undefined;
  /** Called with how much of the limits is left. */
  onLimits: (states: readonly LimitState[]) => void;
}

/** @throws {AppError} `unauthenticated` */
export function sessionOf({ session }: Visitor): Session {
  if (!session) throw new AppError('unauthenticated');
  return session;
}
