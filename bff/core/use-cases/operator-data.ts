import type { CustomerData, StoredMail, StoredSend } from '../../../shared/contract/customer-data.ts';
import { isoTime } from '../clock.ts';
import type { Removal } from '../tickets/removal.ts';
import type { SendRetention } from '../delivery/retention.ts';
import { readAddress } from '../identity/address.ts';
import type { Subjects } from '../identity/subjects.ts';
import type { CustomerDataReader, DataHook } from '../tickets/customer-data.ts';

/**
 * `undelivered`: how many sends are still to be delivered. Above 0 nothing was removed, unless a send came meanwhile.
 */
export interface Forgotten {
  customers: number;
  tickets: number;
  undelivered: number;
}

/** The stored data under one address. Times are ISO 8601 UTC. */
export interface AddressData {
  version: 1;
  exported_at: string;
  address: string;
  /**
   * Customers who have proven the address or typed it last. Where `verified` is false, it may have been a stranger.
   */
  customers: CustomerData[];
  /** Tickets that others opened under this address. */
  opened_by_others: StoredSend[];
  /** Mails from this address of which nothing was made. Missing without any. */
  mails?: StoredMail[];
}

/**
 * Exports or deletes the data of a person who asks the operator for it. The person is found by their e-mail address.
 */
export function createOperatorData(deps: {
  subjects: Pick<Subjects, 'addressHash' | 'find' | 'withAddress'>;
  sends: Pick<SendRetention, 'openedUnder' | 'countUndelivered' | 'countUndeliveredTo'>;
  removal: Removal;
  data: CustomerDataReader;
  parts: readonly DataHook[];
  now: () => number;
}) {
  const { subjects, sends, removal, data, parts, now } = deps;

  return {
    /**
     * Removes all customers who have proven this address or typed it last, and every ticket that was opened under it.
     * `undelivered`: `keep` removes nothing while something is still to be delivered, and `drop` removes that too.
     * Null when the text is not an address.
     */
    async forget(text: string, undelivered: 'keep' | 'drop'): Promise<Forgotten | null> {
      const email = readAddress(text);
      if (email === null) return null;
      const hash = subjects.addressHash(email);
      const ids = await subjects.withAddress(email);
      const sum: Forgotten = { customers: 0, tickets: 0, undelivered: 0 };
      if (undelivered === 'keep') {
        for (const id of ids) sum.undelivered += await sends.countUndelivered(id);
        for (const opening of await sends.openedUnder(hash))
          if (!ids.includes(opening.subject_id)) sum.undelivered += await sends.countUndeliveredTo(opening);
        if (sum.undelivered > 0) return sum;
      }
      for (const part of parts) await part.onForget?.(hash);
      for (const id of ids) {
        const removed = await removal.removeSubject(id, undelivered);
        sum.customers += removed.undelivered === 0 ? 1 : 0;
        sum.tickets += removed.tickets;
        sum.undelivered += removed.undelivered;
      }
      for (const opening of await sends.openedUnder(hash)) {
        const removed = await removal.removeOpened(opening, undelivered);
        sum.tickets += removed.tickets;
        sum.undelivered += removed.undelivered;
      }
      return sum;
    },

    /** Null when the text is not an address. */
    async export(text: string): Promise<AddressData | null> {
      const email = readAddress(text);
      if (email === null) return null;
      const ids = await subjects.withAddress(email);
      const customers: CustomerData[] = [];
      for (const id of ids) customers.push(await data.of(await subjects.find(id)));
      const hash = subjects.addressHash(email);
      const openings = await sends.openedUnder(hash);
      const more = await Promise.all(parts.map(async (part) => part.addressData?.(hash)));
      return {
        version: 1,
        exported_at: isoTime(now()),
        address: email,
        customers,
        opened_by_others: await data.toSends(openings.filter(({ subject_id }) => !ids.includes(subject_id))),
        ...Object.assign({}, ...more),
      };
    },
  };
}
