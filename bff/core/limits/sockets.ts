import { createConnectionCounts } from './connections.ts';

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
