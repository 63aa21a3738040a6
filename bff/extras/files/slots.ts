import { AppError } from '../../core/errors.ts';
import { createCounts } from '../../core/limits/connections.ts';

/* How many uploads may be under way at once. Each takes a connection, a file and a little memory. */

const most = { perAddress: 20, inAll: 200 };
const retryAfterSec = 5;

export function createSlots({
  onRefused,
  perAddress = most.perAddress,
  inAll = most.inAll,
}: {
  onRefused: (limit: 'uploads-ip' | 'uploads-all') => void;
  perAddress?: number;
  inAll?: number;
}) {
  const addresses = createCounts();
  return {
    /**
     * Returns a function that gives the slot back, to be called once.
     * @throws {AppError} `rate_limited`, or `overloaded` when all slots are taken
     */
    take(address: string): () => void {
      const limit =
        addresses.all >= inAll
          ? 'uploads-all'
          : addresses.of(address) >= perAddress
            ? 'uploads-ip'
            : undefined;
      if (limit) {
        onRefused(limit);
        throw new AppError(limit === 'uploads-all' ? 'overloaded' : 'rate_limited', { retryAfterSec });
      }
      addresses.add(address);
      return () => addresses.subtract(address);
    },
  };
}
