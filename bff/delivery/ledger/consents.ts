import type { Consent } from '../../contract/form.ts';
import { listOf } from '../../store/statements/lists.ts';
import type { Store } from '../../store/open.ts';

/** The consents that customers gave with a ticket, kept as long as its send is recorded. */
export const createConsents = (store: Store) => ({
  /** Must run in the transaction `db` that records the send. */
  async add(operationId: string, { text_sha256, given_at }: Consent, db: Store): Promise<void> {
    const values = { operation_id: operationId, text_sha256, given_at: Date.parse(given_at) };
    await db.insertInto('consents').values(values).execute();
  },

  /** By operation. Operations without a consent are left out. */
  async of(operationIds: readonly string[]): Promise<Map<string, Consent>> {
    const rows = await store
      .selectFrom('consents')
      .selectAll()
      .where('operation_id', 'in', listOf(store, JSON.stringify(operationIds)))
      .execute();
    return new Map(
      rows.map(({ operation_id, text_sha256, given_at }) => [
        operation_id,
        { text_sha256, given_at: new Date(given_at).toISOString() },
      ]),
    );
  },
});
