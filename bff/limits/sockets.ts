import { createConnectionCounts } from './connection-counts.ts';

/** How many connections one server has, and how they are shared. */
export interface SocketShares {
  inAll: number;
  /** A browser holds six; an office behind one address holds many. */
  perAddress: number;
  /** The last connections are reserved for addresses with less than `few`. */
  reserve: number;
  few: number;
}

/** All streams, and as many others again. */
export const usualShares: SocketShares = { inAll: 10_000, perAddress: 500, reserve: 1_000, few: 10 };

/** Limits open connections, so that a few addresses cannot use all of them. */
export function createSocketLimits({ inAll, perAddress, reserve, few }: SocketShares) {
  const addresses = createConnectionCounts();
  let all = 0;
  return {
    /** Counts one more connection: what ends it, to be called once; null when this address has its share. */
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
