import type { ExpressionBuilder } from 'kysely';
import { nanoid } from 'nanoid';
import { AppError } from '../../../core/errors.ts';
import type { Tables } from '../../../core/store/schema.ts';
import type { Core } from '../../../core/wiring.ts';
import { asBuffer, inPieces } from '../../../core/bytes.ts';
import { createPieces } from './pieces.ts';
import type { MailInRow } from './tables.ts';

/*
 * The mails that were taken, in the store, each once, until something was made of them. Only one process at a time acts on the
 * first of those that wait, so that they are acted on in their order. It does not read them.
 */

/** A mail that only this process acts on now. */
export interface LeasedMail extends MailInRow {
  raw: Buffer;
  lease_until: number;
}

/** How a mail has ended. */
export interface Ending {
  state: 'done' | 'aside';
  reason: string;
  /** Keyed hash of the sender's address, where it was read. */
  addressHash?: string | null;
  /** The key of the send that was made of it. Its text is kept with the send. */
  key?: string;
}

/** What the store keeps of one mail: enough for a photo of 10 MB. */
export const maxRawBytes = 15 * 1024 * 1024;
/** So many that are set aside are kept whole, so that strangers cannot fill the store. */
const maxAsideWhole = 200;
const leaseMs = 120_000;
/** No time in the store is further in the future, unless the clock was set back since. */
const furthestMs = 2 * 86_400_000;
const maxHeaderBytes = 256 * 1024;

/** Where the header ends. */
function endOfHeader(raw: Buffer): number {
  const header = raw.subarray(0, maxHeaderBytes);
  const ends = ['\r\n\r\n', '\n\n'].map((end) => header.indexOf(end)).filter((at) => at >= 0);
  return Math.min(...ends, header.length);
}

export function createInbox({ store, seal, now }: Pick<Core, 'store' | 'seal' | 'now'>) {
  let last = 0;
  const pieces = createPieces({ store, seal });
  const waiting = () => store.selectFrom('mails_in').where('state', '=', 'waiting');
  const own =
    ({ id, fence }: MailInRow) =>
    ({ and, eb }: ExpressionBuilder<Tables, 'mails_in'>) =>
      and([eb('id', '=', id), eb('fence', '=', fence), eb('state', '=', 'waiting')]);

  /**
   * A mail may come again with other headers, such as from another folder. Two mails may have one Message-ID, since some
   * programs repeat it.
   */
  async function idOf(mail: Buffer): Promise<string> {
    const end = endOfHeader(mail);
    const header = mail.toString('latin1', 0, end);
    const messageId = /^message-id:\s*<([^<>]+)>/im.exec(header)?.[1];
    const hmac = seal.hmac('received mail');
    if (messageId !== undefined) hmac.update(`${messageId}\0`);
    for await (const piece of inPieces(messageId === undefined ? mail : mail.subarray(end)))
      hmac.update(piece);
    return hmac.digest('base64url');
  }

  async function hasManyAside(): Promise<boolean> {
    const { count } = await store
      .selectFrom('mails_in')
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .where('state', '=', 'aside')
      .executeTakeFirstOrThrow();
    return Number(count) >= maxAsideWhole;
  }

  const isFree = (at: number) => (row: Pick<MailInRow, 'lease_until' | 'due_at'>) =>
    [row.lease_until, row.due_at].every((until) => until === null || until <= at || until > at + furthestMs);

  const sendOf = (key: string) =>
    store.selectFrom('operations').select('id').where('key', '=', key).executeTakeFirst();

  return {
    /**
     * The store has the mail once this resolves.
     * @returns its state, or `known` when the store had it before
     */
    async take(raw: Uint8Array): Promise<'waiting' | 'aside' | 'known'> {
      const mail = asBuffer(raw);
      const id = await idOf(mail);
      const isLarge = mail.length > maxRawBytes;
      const take = isLarge || !pieces.hasMore(mail) ? null : nanoid();
      last = Math.max(now(), last + 1);
      const { numInsertedOrUpdatedRows } = await store
        .insertInto('mails_in')
        .values({
          id,
          state: take !== null ? 'arriving' : isLarge ? 'aside' : 'waiting',
          reason: isLarge ? `it has ${mail.length} bytes, and ${maxRawBytes} are taken` : null,
          received_at: last,
          raw_sealed: pieces.sealBeginning(mail),
          take,
        })
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(({ ref }) => ({
              state: ref('excluded.state'),
              raw_sealed: ref('excluded.raw_sealed'),
              take: ref('excluded.take'),
            }))
            .where('mails_in.state', '=', 'arriving'),
        )
        .executeTakeFirst();
      if (Number(numInsertedOrUpdatedRows) === 0) return 'known';
      if (take === null) return isLarge ? 'aside' : 'waiting';
      await pieces.write(id, take, mail);
      const { numUpdatedRows } = await store
        .updateTable('mails_in')
        .set({ state: 'waiting' })
        .where('id', '=', id)
        .where('take', '=', take)
        .where('state', '=', 'arriving')
        .executeTakeFirst();
      // The same mail has arrived a second time meanwhile.
      if (numUpdatedRows === 0n) throw new AppError('overloaded', { retryAfterSec: 10 });
      return 'waiting';
    },

    /** Leases the first mail that waits. Null when none waits, or when it is another's turn. */
    async leaseFirst(): Promise<LeasedMail | null> {
      const first = await waiting()
        .select(['id', 'fence', 'lease_until', 'due_at'])
        .orderBy('received_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      const at = now();
      if (!first || !isFree(at)(first)) return null;
      const row = await store
        .updateTable('mails_in')
        .set(({ eb }) => ({
          lease_until: at + leaseMs,
          fence: eb('fence', '+', 1),
          attempts: eb('attempts', '+', 1),
        }))
        .where(own(first as MailInRow))
        .returningAll()
        .executeTakeFirst();
      return row
        ? { ...row, lease_until: row.lease_until!, raw: (await pieces.read(row.id)) ?? Buffer.alloc(0) }
        : null;
    },

    /** When the first mail can be leased. Infinity when none waits. */
    async nextAt(): Promise<number> {
      const first = await waiting()
        .select(['lease_until', 'due_at'])
        .orderBy('received_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
      return first ? Math.max(first.lease_until ?? 0, first.due_at ?? 0) : Infinity;
    },

    /** Records what became of a mail. Its send may have been made by a process that ended before it could say so. */
    async finish(row: LeasedMail, { state, reason, addressHash = null, key }: Ending): Promise<void> {
      const send = key === undefined ? undefined : await sendOf(key);
      const isKept = state === 'aside' || send !== undefined;
      const isShortened = state === 'aside' && row.take !== null && (await hasManyAside());
      const hasPieces = isKept && !isShortened;
      await store
        .updateTable('mails_in')
        .set({
          state,
          reason,
          address_hash: addressHash,
          lease_until: null,
          due_at: null,
          operation_id: send?.id ?? null,
          ...(!isKept && { raw_sealed: null }),
          ...(!hasPieces && { take: null }),
          ...(isShortened && { attempts: 0 }),
        })
        .where(own(row))
        .execute();
      if (row.take !== null && !hasPieces) await pieces.remove(row.id, row.take);
    },

    /**
     * Sets the mails aside whose sends were refused for good, and returns how many. They are looked for, since a process may end
     * after its send was refused.
     */
    async setRefusedAside(): Promise<number> {
      const rows = await store
        .selectFrom('operations')
        .innerJoin('mails_in', 'operation_id', 'operations.id')
        .select(['mails_in.id', 'error'])
        .where('operations.state', '=', 'rejected')
        // By it the index of the few that are not done is used.
        .where('operations.state', '!=', 'done')
        .where('mails_in.state', '=', 'done')
        // One that is erased is over.
        .where('raw_sealed', 'is not', null)
        .execute();
      for (const { id, error } of rows)
        await store
          .updateTable('mails_in')
          .set({ state: 'aside', reason: `the ticket service refused it (${error ?? 'no reason'})` })
          .where('id', '=', id)
          .execute();
      return rows.length;
    },

    /** Nothing could be made of it now. Those behind it wait too. */
    async postpone(row: LeasedMail, inMs: number): Promise<void> {
      await store
        .updateTable('mails_in')
        .set({ lease_until: null, due_at: now() + inMs })
        .where(own(row))
        .execute();
    },

    /** Ends the leases of processes that are known to have ended. */
    async release(beforeMs: number): Promise<void> {
      await store
        .updateTable('mails_in')
        .set({ lease_until: null })
        .where('lease_until', '<=', beforeMs + leaseMs)
        .execute();
    },
  };
}

export type Inbox = ReturnType<typeof createInbox>;
