import type { Contact } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { Store } from '../store/open.ts';
import { readAddress } from './address.ts';

/**
 * Finds subjects by an address, proven or only typed. The store has no hash of a typed address, so every contact is
 * decrypted. For operators only. `limit`: the number of contacts read at once.
 */
export function createAddressSearch({ store, seal, limit }: { store: Store; seal: Seal; limit: number }) {
  /** Older rows contain addresses as they were typed. */
  const isOf = (email: string, contact: Contact | null) =>
    contact !== null && (readAddress(contact.email) ?? contact.email) === email;

  return {
    /** @param email as returned by `readAddress` */
    async find(email: string): Promise<string[]> {
      const found: string[] = [];
      for (let last: string | undefined = ''; last !== undefined;) {
        const rows: { id: string; contact_sealed: string | null }[] = await store
          .selectFrom('subjects')
          .select(['id', 'contact_sealed'])
          .where('id', '>', last)
          .orderBy('id')
          .limit(limit)
          .execute();
        for (const { id, contact_sealed } of rows)
          if (contact_sealed && isOf(email, seal.open('subjects.contact', contact_sealed))) found.push(id);
        last = rows.at(-1)?.id;
      }
      return found;
    },
  };
}

export type AddressSearch = ReturnType<typeof createAddressSearch>;
