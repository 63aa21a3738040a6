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
export function createConnectionLimits({ perAddress, perSession = 6, inAll = 5_000, refusals }: Shares) {
  const sessions = createConnectionCounts();
  const addresses = createConnectionCounts();
  let all = 0;

  /** The limit that one more stream would exceed; null if none. */
  function limitFor(sessionId: string, address: string) {
    if (all >= inAll) return 'streams-all';
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
      all += 1;
      sessions.add(sessionId);
      addresses.add(address);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        all -= 1;
        sessions.subtract(sessionId);
        addresses.subtract(address);
      };
    },
  };
}

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;

/** How many connections each key has open; keys without any are removed. */
export function createConnectionCounts() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    add: (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1),
    subtract(key: string): void {
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
  const addresses = createConnectionCounts();
  let all = 0;
  return {
    /**
     * Counts one more connection. Returns a function that ends the count, to be called once, or null when this
     * address has its share.
     */
    take(address: string): (() => void) | null {
      const share = all < inAll - reserve ? perAddress : Math.min(few, perAddress);
      if (addresses.of(address) >= share) return null;
      all += 1;
      addresses.add(address);
      return () => {
        all -= 1;
        addresses.subtract(address);
      };
    },
  };
}
