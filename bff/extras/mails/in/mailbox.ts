import { createHash, randomUUID } from 'node:crypto';
import type { Core } from '../../../core/wiring.ts';
import { type MailPosition, mayReadEveryMs } from './imap.ts';
import type { ImapAddress } from './imap-address.ts';

/** Longer than between two renewals, also while the processor or the store is busy. */
const leaseMs = 3 * mayReadEveryMs;

const idOf = ({ host, user, folder }: ImapAddress) =>
  createHash('sha256')
    .update(JSON.stringify([host, user, folder]))
    .digest('hex');

/**
 * How far a mailbox was read, and the lease of the process that reads it. The lease saves work and keeps the order: if
 * two read after all, for a moment, the store takes each mail once.
 */
export function createMailbox({ store, now }: Pick<Core, 'store' | 'now'>, address: ImapAddress) {
  const id = idOf(address);
  const reader = randomUUID();
  const own = () => store.updateTable('mailboxes').where('id', '=', id);

  let isKnown = false;

  async function remember(since: number): Promise<true> {
    await store
      .insertInto('mailboxes')
      .values({ id, uid_validity: null, last_uid: 0, since, reader: null, lease_until: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  }

  const position = {
    async read(): Promise<MailPosition> {
      const { uid_validity, last_uid, since } = await store
        .selectFrom('mailboxes')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { uidValidity: uid_validity, lastUid: last_uid, since };
    },

    async write({ uidValidity, lastUid, since }: MailPosition): Promise<void> {
      await own().set({ uid_validity: uidValidity, last_uid: lastUid, since }).execute();
    },
  };

  return {
    position,

    /** Takes or renews the lease. Returns whether this process has it. */
    async mayRead(): Promise<boolean> {
      const at = now();
      // From now on, mails are wanted.
      isKnown ||= await remember(at);
      const { numUpdatedRows } = await own()
        .set({ reader, lease_until: at + leaseMs })
        .where(({ eb, or }) =>
          or([
            eb('reader', 'is', null),
            eb('reader', '=', reader),
            eb('lease_until', '<=', at),
            // The clock was set back since.
            eb('lease_until', '>', at + leaseMs),
          ]),
        )
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Ends the lease, so that another process reads at once. */
    async leave(): Promise<void> {
      await own().set({ reader: null }).where('reader', '=', reader).execute();
    },

    /** No other process uses the store: ends what one that has ended had leased. */
    async release(): Promise<void> {
      await own().set({ reader: null }).execute();
    },
  };
}
