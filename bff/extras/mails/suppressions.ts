import { isEqual } from '../../core/is-equal.ts';
import { listOf } from '../../core/store/dialect.ts';
import type { SilentAddressTable } from './tables.ts';
import { prepare } from '../../core/store/statements/prepared.ts';
import type { Core } from '../../core/wiring.ts';

/**
 * The suppression list: addresses that get no more mails about tickets, for good, as keyed hashes. They stay when all
 * other data of a person is removed, because otherwise nobody would know that the address is unsubscribed.
 */
export function createSuppressions({ store, seal, now }: Core) {
  const proofOf = (hash: string) => seal.hash('end of mails', hash);
  const suppressed = prepare(({ hashes }: { hashes: string }) =>
    store
      .selectFrom('silent_addresses')
      .select('address_hash')
      .where('address_hash', 'in', listOf(store, hashes)),
  );

  return {
    /** The token of the link in a mail to this address. It cannot be guessed, and it reveals nothing. */
    tokenOf: (hash: string): string => `${hash}.${proofOf(hash)}`,

    /** The hash of the address that a token is for; null for any other text. */
    readToken(token: string): string | null {
      const [hash = '', proof = ''] = token.split('.');
      return isEqual(proof, proofOf(hash)) ? hash : null;
    },

    async add(hash: string, reason: SilentAddressTable['reason']): Promise<void> {
      await store
        .insertInto('silent_addresses')
        .values({ address_hash: hash, reason, created_at: now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** How many addresses get no mails, by reason, and when the newest was added. */
    counts: () =>
      store
        .selectFrom('silent_addresses')
        .select(({ fn }) => ['reason', fn.countAll<number>().as('count'), fn.max('created_at').as('newest')])
        .groupBy('reason')
        .orderBy('reason')
        .execute(),

    find: (hashes: readonly string[]) =>
      store.selectFrom('silent_addresses').selectAll().where('address_hash', 'in', hashes).execute(),

    async remove(hashes: readonly string[]): Promise<void> {
      await store.deleteFrom('silent_addresses').where('address_hash', 'in', hashes).execute();
    },

    /** Whether any of these addresses is unsubscribed. */
    async has(hashes: readonly string[], db = store): Promise<boolean> {
      return (await suppressed(db, { hashes: JSON.stringify(hashes) })).length > 0;
    },
  };
}

export type Suppressions = ReturnType<typeof createSuppressions>;
