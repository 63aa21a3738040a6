import { randomUUID } from 'node:crypto';
import type { Store } from './open.ts';
import { inTransaction } from './statements/transaction.ts';

/** The length of a long message, for which the store must grow. */
const checkedChars = 32 * 1024;

/** Whether the store accepts a write now. Leaves nothing behind. Never rejects. */
export async function isWritable(store: Store): Promise<boolean> {
  const hash = randomUUID().padEnd(checkedChars, '.');
  try {
    await inTransaction(store, async (trx) => {
      await trx.insertInto('used_once').values({ purpose: 'write check', hash, expires_at: 0 }).execute();
      await trx.deleteFrom('used_once').where('purpose', '=', 'write check').execute();
    });
    return true;
  } catch {
    return false;
  }
}
