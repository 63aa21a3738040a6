import { AppError } from '../errors.ts';
import type { LimitState } from '../limits/limits.ts';
import type { Session } from '../session/sessions.ts';

/** Whoever sent one request, as far as the BFF has checked it. */
export interface Visitor {
  session: Session | null;
  /** What the store knows the shown token by, whether or not it is good; null without one. */
  tokenHash: string | null;
  /** The request is made for somebody else than whose session this browser has by now. */
  isOthers: boolean;
  /** Showed a token that is good no more, or that is not of whom the request is made for. */
  isStale: boolean;
  /** Keeps no cookie: its token travels in answers and in `Authorization`. */
  isBearer: boolean;
  /** Bucket of the network address, for limits only. */
  address: string;
  /** A solved challenge, unchecked. */
  proof: string | undefined;
  /** Hears how much of the limits is left. */
  onLimits: (states: readonly LimitState[]) => void;
}

/** @throws {AppError} `unauthenticated` */
export function sessionOf({ session }: Visitor): Session {
  if (!session) throw new AppError('unauthenticated');
  return session;
}
