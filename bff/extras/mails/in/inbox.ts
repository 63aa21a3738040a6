import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../../../core/store/schema.ts';
import type { Core } from '../../../core/wiring.ts';
import type { MailInRow } from './tables.ts';
import { tokenMs } from './reply-tokens.ts';

/*
 * The mails that were taken, in the store: each once, until it is no longer needed. Only one process at a time acts on the
 * first of those that wait, so that they are acted on in their order. It does not read them.
 */

/** A mail that only this process acts on now. */
export interface LeasedMail extends MailInRow {
  raw: Uint8Array;
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

/** For the operator. */
export interface MailAside {
  id: string;
  receivedAt: number;
  reason: string;
}

/** What the store keeps of one mail: enough for a photo of 10 MB. */
export const maxRawBytes = 15 * 1024 * 1024;
/** Of a larger one, its beginning is kept. */
const keptOfLarge = 64 * 1024;
/** So many that are set aside are kept whole, so that strangers cannot fill the store. */
const maxAsideWhole = 200;
const leaseMs = 120_000;
/** No time in the store is further in the future, unless the clock was set back since. */
const furthestMs = 2 * 86_400_000;
const maxHeaderBytes = 256 * 1024;

/** Where the header ends. */
function endOfHeader(raw: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n'].map((end) => raw.indexOf(end)).filter((at) => at >= 0);
  return Math.min(...ends, raw.length, maxHeaderBytes);
}

const asBuffer = (raw: Uint8Array) => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);

export function createInbox(
  { store, seal, now }: Pick<Core, 'store' | 'seal' | 'now'>,
  { keepMs }: { keepMs: number },
) {
  let last = 0;
  const waiting = () => store.selectFrom('mails_in').where('state', '=', 'waiting');
  const own =
    ({ id, fence }: MailInRow) =>
    ({ and, eb }: ExpressionBuilder<Tables, 'mails_in'>) =>
      and([eb('id', '=', id), eb('fence', '=', fence), eb('state', '=', 'waiting')]);

  /**
   * A mail may come again with other headers, such as from another folder. Two mails may have one Message-ID, since some
   * programs repeat it.
   */
  function idOf(mail: Buffer): string {
    const end = endOfHeader(mail);
    const header = mail.toString('latin1', 0, end);
    const messageId = /^message-id:\s*<([^<>]+)>/im.exec(header)?.[1];
    const hmac = seal.hmac('received mail');
    if (messageId === undefined) return hmac.update(mail).digest('base64url');
    return hmac.update(`${messageId}\0`).update(mail.subarray(end)).digest('base64url');
  }

  // In base64, which grows by a third: of other texts, JSON writes some characters as six.
  const sealed = (raw: Buffer) => seal.seal('mails_in.raw', raw.toString('base64'));
  const open = (stored: string | null): Uint8Array | null => {
    const text = stored === null ? null : seal.open('mails_in.raw', stored);
    return text === null ? null : Buffer.from(text, 'base64');
  };

  async function count(state: 'waiting' | 'aside'): Promise<number> {
    const { mails } = await store
      .selectFrom('mails_in')
      .select(({ fn }) => fn.countAll<number | string>().as('mails'))
      .where('state', '=', state)
      .executeTakeFirstOrThrow();
    return Number(mails);
  }

  const isFree = (at: number) => (row: Pick<MailInRow, 'lease_until' | 'due_at'>) =>
    [row.lease_until, row.due_at].every((until) => until === null || until <= at || until > at + furthestMs);

  const sendOf = (key: string) =>
    store.selectFrom('operations').select('id').where('key', '=', key).executeTakeFirst();

  /** Sets the mail aside whose send was refused for good. False if there is none. */
  async function refused(operationId: string): Promise<boolean> {
    const send = await store
      .selectFrom('operations')
      .select('error')
      .where('id', '=', operationId)
      .where('state', '=', 'rejected')
      .executeTakeFirst();
    if (!send) return false;
    const { numUpdatedRows } = await store
      .updateTable('mails_in')
      .set({ state: 'aside', reason: `the ticket service refused it (${send.error ?? 'no reason'})` })
      .where('operation_id', '=', operationId)
      .where('state', '=', 'done')
      .executeTakeFirst();
    return Number(numUpdatedRows) > 0;
  }

  return {
    /**
     * The store has the mail once this resolves.
     * @returns its state, or `known` when the store had it before
     */
    async take(raw: Uint8Array): Promise<'waiting' | 'aside' | 'known'> {
      const mail = asBuffer(raw);
      const isLarge = mail.length > maxRawBytes;
      const state = isLarge ? 'aside' : 'waiting';
      last = Math.max(now(), last + 1);
      const { numInsertedOrUpdatedRows } = await store
        .insertInto('mails_in')
        .values({
          id: idOf(mail),
          state,
          reason: isLarge ? `it has ${mail.length} bytes, and ${maxRawBytes} are taken` : null,
          received_at: last,
          raw_sealed: sealed(isLarge ? mail.subarray(0, keptOfLarge) : mail),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return Number(numInsertedOrUpdatedRows) > 0 ? state : 'known';
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
        ? { ...row, lease_until: row.lease_until!, raw: open(row.raw_sealed) ?? new Uint8Array() }
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

    /**
     * Records what became of a mail. Its send may have been made by a process that ended before it could say so, and may have
     * been refused since.
     * @returns its state
     */
    async finish(
      row: LeasedMail,
      { state, reason, addressHash = null, key }: Ending,
    ): Promise<Ending['state']> {
      const send = key === undefined ? undefined : await sendOf(key);
      const isKept = state === 'aside' || send !== undefined;
      const isShortened = state === 'aside' && (await count('aside')) >= maxAsideWhole;
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
          ...(isShortened && {
            raw_sealed: sealed(asBuffer(row.raw).subarray(0, keptOfLarge)),
            attempts: 0,
          }),
        })
        .where(own(row))
        .execute();
      return send && (await refused(send.id)) ? 'aside' : state;
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

    refused,

    count,

    /** The newest first. */
    async setAside(limit: number): Promise<MailAside[]> {
      const rows = await store
        .selectFrom('mails_in')
        .select(['id', 'received_at', 'reason'])
        .where('state', '=', 'aside')
        .orderBy('received_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({ id: row.id, receivedAt: row.received_at, reason: row.reason ?? '' }));
    },

    /** The mail as it came. Null where nothing of it is kept. */
    async whole(id: string): Promise<Uint8Array | null> {
      const row = await store
        .selectFrom('mails_in')
        .select('raw_sealed')
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? open(row.raw_sealed) : null;
    },

    /**
     * Lets the mail that is set aside be acted on again. False if only its beginning is kept, or if the ticket service has
     * refused it.
     */
    async tryAgain(id: string): Promise<boolean> {
      const { numUpdatedRows } = await store
        .updateTable('mails_in')
        .set({ state: 'waiting', reason: null, attempts: 0, due_at: null })
        .where('id', '=', id)
        .where('state', '=', 'aside')
        .where('operation_id', 'is', null)
        // Of one without attempts, only the beginning is kept.
        .where('attempts', '>', 0)
        .executeTakeFirst();
      return Number(numUpdatedRows) > 0;
    },

    /** What is kept of the mails that these sends were made of, by send, as they came. */
    async ofSends(operationIds: readonly string[]) {
      if (operationIds.length === 0) return [];
      const rows = await store
        .selectFrom('mails_in')
        .select(['operation_id', 'received_at', 'raw_sealed'])
        .where('operation_id', 'in', operationIds)
        .where('raw_sealed', 'is not', null)
        .execute();
      return rows.map((row) => ({
        operationId: row.operation_id!,
        receivedAt: row.received_at,
        raw: open(row.raw_sealed) ?? new Uint8Array(),
      }));
    },

    /** Mails of this sender that are kept without a send: as they came. */
    async ofSender(addressHash: string) {
      const rows = await store
        .selectFrom('mails_in')
        .select(['received_at', 'raw_sealed'])
        .where('address_hash', '=', addressHash)
        .where('operation_id', 'is', null)
        .where('raw_sealed', 'is not', null)
        .orderBy('received_at')
        .execute();
      return rows.map((row) => ({
        receivedAt: row.received_at,
        raw: open(row.raw_sealed) ?? new Uint8Array(),
      }));
    },

    /** Removes what is kept of mails of this sender. */
    async forget(addressHash: string): Promise<void> {
      await store.deleteFrom('mails_in').where('address_hash', '=', addressHash).execute();
    },

    /** Erases up to `limit` mails that are old, and returns how many. They stay known for as long as a token is valid. */
    async eraseOld(limit: number): Promise<number> {
      const { numUpdatedRows } = await store
        .updateTable('mails_in')
        .set({ raw_sealed: null, state: 'done', address_hash: null })
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('mails_in as old')
            .select('old.id')
            .where('old.state', '!=', 'waiting')
            .where('old.raw_sealed', 'is not', null)
            .where('old.received_at', '<', now() - keepMs)
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    async removeOld(limit: number): Promise<number> {
      const { numDeletedRows } = await store
        .deleteFrom('mails_in')
        .where('id', 'in', ({ selectFrom }) =>
          selectFrom('mails_in as old')
            .select('old.id')
            .where('old.state', '!=', 'waiting')
            .where('old.raw_sealed', 'is', null)
            .where('old.received_at', '<', now() - tokenMs)
            .limit(limit),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

export type Inbox = ReturnType<typeof createInbox>;
