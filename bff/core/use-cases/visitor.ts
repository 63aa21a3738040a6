import { AppError } from '../errors.ts';
import type { LimitState } from '../limits/limits.ts';
import type { Session } from '../identity/sessions.ts';
import type { Subject } from '../identity/subjects.ts';

/** The sender of one request, as far as the BFF has checked it. */
export interface Visitor {
  session: Session | null;
  /** The subject that the session acted for when the request came. Null without a session. */
  subject: Subject | null;
  /** Hash of the token that was sent, valid or not. Null without a token. */
  tokenHash: string | null;
  /** The request was made for another customer than that of the browser's current session. */
  isOthers: boolean;
  /** The token is no longer valid, or belongs to another customer than the request was made for. */
  isStale: boolean;
  /** Keeps no cookie: its token is sent in answers and in `Authorization`. */
  isBearer: boolean;
  /** The network address, reduced to its bucket. For limits only. */
  address: string;
  /** A solved challenge, not verified yet. */
  proof: string | undefined;
  /** Called with the remaining points of the limits. */
  onLimits: (states: readonly LimitState[]) => void;
}

/** @throws {AppError} `unauthenticated` */
export function sessionOf({ session }: Visitor): Session {
  if (!session) throw new AppError('unauthenticated');
  return session;
}
