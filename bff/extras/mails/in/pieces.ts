import { setImmediate } from 'node:timers/promises';
import type { Store } from '../../../core/store/open.ts';
import type { Seal } from '../../../core/store/seal.ts';
import { inPieces, joined } from '../../../core/bytes.ts';

/*
 * What the store has of a mail, as it came: its beginning in the mail's row, and the rest in pieces of their own,
 * so that many megabytes are not sealed and written at once. It knows nothing of what becomes of mails.
 */

/** Enough to see what a mail is. */
const beginBytes = 64 * 1024;

export function createPieces({ store, seal }: { store: Store; seal: Seal }) {
  // In base64, which grows by a third: of other texts, JSON writes some characters as six.
  const remove = (mailId: string, take: string) =>
    store.deleteFrom('mail_pieces').where('mail_id', '=', mailId).where('take', '=', take).execute();

  return {
    hasMore: (mail: Buffer): boolean => mail.length > beginBytes,

    sealBeginning: (mail: Buffer): string =>
      seal.seal('mails_in.raw', mail.toString('base64', 0, beginBytes)),

    /** Writes what follows the beginning. */
    async write(mailId: string, take: string, mail: Buffer): Promise<void> {
      let nth = 0;
      for await (const piece of inPieces(mail.subarray(beginBytes))) {
        const sealed = seal.seal('mail_pieces.piece', piece.toString('base64'));
        await store
          .insertInto('mail_pieces')
          .values({ mail_id: mailId, take, nth, piece_sealed: sealed })
          .execute();
        nth += 1;
      }
    },

    /** Null where nothing is kept, or where it cannot be opened. */
    async read(mailId: string): Promise<Buffer | null> {
      const mail = await store
        .selectFrom('mails_in')
        .select(['raw_sealed', 'take'])
        .where('id', '=', mailId)
        .executeTakeFirst();
      const begin = mail?.raw_sealed ? seal.open('mails_in.raw', mail.raw_sealed) : null;
      if (begin === null || !mail) return null;
      const found = [Buffer.from(begin, 'base64')];
      for (let nth = 0; mail.take !== null; nth += 1) {
        await setImmediate();
        const row = await store
          .selectFrom('mail_pieces')
          .select('piece_sealed')
          .where('nth', '=', nth)
          .where('take', '=', mail.take)
          .executeTakeFirst();
        if (!row) break;
        const piece = seal.open('mail_pieces.piece', row.piece_sealed);
        if (piece === null) return null;
        found.push(Buffer.from(piece, 'base64'));
      }
      return joined(found);
    },

    remove,

    /** Removes the pieces of up to `limit` mails that name them no more, and returns of how many. */
    async removeUnnamed(limit: number): Promise<number> {
      const unnamed = await store
        .selectFrom('mail_pieces')
        .leftJoin('mails_in', (join) =>
          join.onRef('mails_in.id', '=', 'mail_id').onRef('mails_in.take', '=', 'mail_pieces.take'),
        )
        .select(['mail_id', 'mail_pieces.take'])
        .where('nth', '=', 0)
        .where('mails_in.id', 'is', null)
        .limit(limit)
        .execute();
      for (const { mail_id, take } of unnamed) {
        await remove(mail_id, take);
        await setImmediate();
      }
      return unnamed.length;
    },
  };
}
