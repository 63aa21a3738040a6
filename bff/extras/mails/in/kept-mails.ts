import type { StoredMail } from '../../../../shared/contract/customer-data.ts';
import { isoTime } from '../../../core/clock.ts';
import type { Part } from '../../../core/part.ts';
import type { Core } from '../../../core/wiring.ts';
import { createPieces } from './pieces.ts';
import { tokenMs } from './reply-tokens.ts';

/*
 * What is kept of mails after something was made of them, or nothing: for the operator, for whom they are of, and until when.
 */

interface KeptMail {
  id: string;
  /** The send that was made of it. */
  operationId: string | null;
  receivedAt: number;
  /** What was made of it, or why nothing. */
  reason: string;
  /** As it came. Null where it cannot be opened. */
  read: () => Promise<Uint8Array | null>;
}

export function createKeptMails({ store, seal, now }: Pick<Core, 'store' | 'seal' | 'now'>) {
  const pieces = createPieces({ store, seal });

  const rows = () =>
    store
      .selectFrom('mails_in')
      .select(['id', 'operation_id', 'received_at', 'reason'])
      .where('raw_sealed', 'is not', null);
  const found = async (query: ReturnType<typeof rows>): Promise<KeptMail[]> =>
    (await query.execute()).map(({ id, operation_id, received_at, reason }) => ({
      id,
      operationId: operation_id,
      receivedAt: received_at,
      reason: reason ?? '',
      read: () => pieces.read(id),
    }));

  /** Up to `limit` that are over, and came before this time. */
  const old = (limit: number, before: number) =>
    store
      .selectFrom('mails_in as old')
      .select('old.id')
      .where('old.state', '!=', 'waiting')
      .where('old.received_at', '<', before)
      .limit(limit);

  return {
    /** Those that are set aside, the newest first. */
    setAside: (limit: number) =>
      found(rows().where('state', '=', 'aside').orderBy('received_at', 'desc').limit(limit)),

    /** Those that these sends were made of. */
    ofSends: async (operationIds: readonly string[]) =>
      operationIds.length === 0 ? [] : found(rows().where('operation_id', 'in', operationIds)),

    /** Those of this sender of which no send was made. */
    ofSender: (addressHash: string) =>
      found(
        rows()
          .where('address_hash', '=', addressHash)
          .where('operation_id', 'is', null)
          .orderBy('received_at'),
      ),

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

    /** Removes what is kept of mails of this sender. */
    async forget(addressHash: string, db = store): Promise<void> {
      await db.deleteFrom('mails_in').where('address_hash', '=', addressHash).execute();
    },

    /** Erases up to `limit` mails that came before this time, and returns how many. They stay known. */
    async eraseOld(limit: number, before: number): Promise<number> {
      const { numUpdatedRows } = await store
        .updateTable('mails_in')
        .set({ raw_sealed: null, take: null, state: 'done', address_hash: null })
        .where('id', 'in', old(limit, before).where('old.raw_sealed', 'is not', null))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** Removes up to `limit` erased mails, once no token that one may have is valid any more, and returns how many. */
    async removeOld(limit: number): Promise<number> {
      const { numDeletedRows } = await store
        .deleteFrom('mails_in')
        .where('id', 'in', old(limit, now() - tokenMs).where('old.raw_sealed', 'is', null))
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    removePieces: pieces.removeUnnamed,
  };
}

/** Reads what is kept of a mail. Null for what cannot be read. */
async function storedMail({ receivedAt, read }: KeptMail): Promise<StoredMail> {
  const { readMail } = await import('./read-mail.ts');
  const mail = await readMail((await read()) ?? new Uint8Array()).catch(() => null);
  return {
    received_at: isoTime(receivedAt),
    from: mail?.from?.address ?? null,
    subject: mail?.subject ?? null,
    text: mail?.whole ?? null,
  };
}

/** Whose data the kept mails are, and until when, whether more come in or not. */
export function keptMailsPart(core: Core, keepMs: number) {
  const kept = createKeptMails(core);
  return {
    chores: [(limit) => kept.eraseOld(limit, core.now() - keepMs), kept.removeOld, kept.removePieces],
    async sendData(operationIds) {
      const data = new Map<string, { mail: StoredMail }>();
      for (const mail of await kept.ofSends(operationIds))
        data.set(mail.operationId!, { mail: await storedMail(mail) });
      return data;
    },
    async addressData(addressHash) {
      const mails: StoredMail[] = [];
      for (const mail of await kept.ofSender(addressHash)) mails.push(await storedMail(mail));
      return mails.length > 0 ? { mails } : {};
    },
    async onRemoval(subjectId, db) {
      const proven = await db
        .selectFrom('subjects')
        .select('address_hash')
        .where('id', '=', subjectId)
        .where('verified', '=', 1)
        .executeTakeFirst();
      if (proven?.address_hash) await kept.forget(proven.address_hash, db);
    },
    onForget: (addressHash) => kept.forget(addressHash),
  } satisfies Part;
}
