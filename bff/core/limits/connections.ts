import type { Counter } from 'prom-client';
import { heartbeatMs } from '../../../shared/contract/events.ts';
import { AppError } from '../errors.ts';

/* How many streams and connections may be open at once. It counts them, and neither opens nor closes any. */

/** At least a heartbeat. Those who were refused together come again at different times. */
const retryAfterSec = () => Math.ceil((heartbeatMs / 1_000) * (1 + Math.random() / 2));

interface Shares {
  /** Maximum for one client address. */
  perAddress: number;
  perSession?: number;
  inAll?: number;
  refusals: Pick<Counter<'limit'>, 'inc'>;
}

/** How many streams may be open at once: 6 of a session, `perAddress` of a client address, 5,000 in all. */
export function createStreamLimits({ perAddress, perSession = 6, inAll = 5_000, refusals }: Shares) {
  const sessions = createCounts();
  const addresses = createCounts();

  /** The limit that one more stream would exceed; null if none. */
  function limitFor(sessionId: string, address: string) {
    if (addresses.all >= inAll) return 'streams-all';
    if (sessions.of(sessionId) >= perSession) return 'streams-session';
    return addresses.of(address) >= perAddress ? 'streams-ip' : null;
  }

  return {
    /**
     * Counts one more stream. Returns a function that ends the count; a second call of it does nothing.
     * @throws {AppError} `rate_limited`, or `overloaded` when all places are taken
     */
    take(sessionId: string, address: string): () => void {
      const limit = limitFor(sessionId, address);
      if (limit) {
        refusals.inc({ limit });
        throw new AppError(limit === 'streams-all' ? 'overloaded' : 'rate_limited', {
          retryAfterSec: retryAfterSec(),
        });
      }
      sessions.add(sessionId);
      addresses.add(address);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        sessions.subtract(sessionId);
        addresses.subtract(address);
      };
    },
  };
}

export type StreamLimits = ReturnType<typeof createStreamLimits>;

/** Counts by key, and in all. Keys without any are removed. */
export function createCounts() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    get all(): number {
      return all;
    },
    of: (key: string): number => counts.get(key) ?? 0,
    add(key: string): void {
      all += 1;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    subtract(key: string): void {
      all -= 1;
      const left = (counts.get(key) ?? 0) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}

/** The number of connections of a server, and how they are divided. */
export interface SocketShares {
  inAll: number;
  /** A browser opens six, and an office behind one address opens many. */
  perAddress: number;
  /** The last connections are reserved for addresses with fewer than `few`. */
  reserve: number;
  few: number;
}

/** Room for all streams, and as many other connections. */
export const usualShares: SocketShares = { inAll: 10_000, perAddress: 500, reserve: 1_000, few: 10 };

/** Limits open connections, so that a few addresses cannot use all of them. */
export function createSocketLimits({ inAll, perAddress, reserve, few }: SocketShares) {
  const addresses = createCounts();
  return {
    /**
     * Counts one more connection. Returns a function that ends the count, to be called once, or null when this
     * address has its share.
     */
    take(address: string): (() => void) | null {
      const share = addresses.all < inAll - reserve ? perAddress : Math.min(few, perAddress);
      if (addresses.of(address) >= share) return null;
      addresses.add(address);
      return () => addresses.subtract(address);
    },
  };
}
