import { heartbeatMs } from '../contract/events.ts';
import { AppError } from '../errors.ts';

/** A stream whose browser is gone is noticed by the next heartbeat at the latest. */
const retryAfterSec = heartbeatMs / 1_000;

/** How many streams may be open at once: 6 of a session, 60 of a client address, 5,000 in all. */
export function createConnectionLimits({ perSession = 6, perAddress = 60, inAll = 5_000 } = {}) {
  const sessions = new Map<string, number>();
  const addresses = new Map<string, number>();
  let all = 0;

  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  function subtract(counts: Map<string, number>, key: string): void {
    const left = counts.get(key)! - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  }

  return {
    /**
     * Counts one more stream; the answer ends it, once.
     * @throws {AppError} `rate_limited`, or `overloaded` when all places are taken
     */
    take(sessionId: string, address: string): () => void {
      if (all >= inAll) throw new AppError('overloaded', { retryAfterSec });
      if ((sessions.get(sessionId) ?? 0) >= perSession || (addresses.get(address) ?? 0) >= perAddress)
        throw new AppError('rate_limited', { retryAfterSec });
      all += 1;
      add(sessions, sessionId);
      add(addresses, address);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        all -= 1;
        subtract(sessions, sessionId);
        subtract(addresses, address);
      };
    },
  };
}

export type ConnectionLimits = ReturnType<typeof createConnectionLimits>;
