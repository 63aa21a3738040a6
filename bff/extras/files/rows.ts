import type { Seal } from '../../core/store/seal.ts';
import { notDone } from '../../core/delivery/due.ts';
import { newRowId } from '../../core/store/schema.ts';
import type { Store } from '../../core/store/open.ts';

/*
 * The rows of files, as far as uploads, links and housekeeping need them. A row exists before the first byte is kept, and
 * until the last one is removed, so that nothing is kept that no row names. `attach.ts` binds rows to messages.
 */

const dayMs = 86_400_000;
/** An upload that was replaced, or whose customer is gone, may still keep something for so long. */
const arrivingMs = 3_600_000;

/** What is known of a file once it has arrived. */
export interface Arrived {
  name: string;
  type: string;
  size: number;
  width: number | null;
  height: number | null;
  sha256: string;
}

/** A file that is not on its way any more. */
export interface KnownFile extends Omit<Arrived, 'sha256'> {
  id: string;
  refused: string | null;
}

/** What a link needs. */
export interface LinkedFile {
  id: string;
  name: string;
  type: string;
  size: number;
  width: number | null;
  sha256: string;
}

export function createRows({
  store,
  seal,
  linkHashOf,
  now,
}: {
  store: Store;
  seal: Pick<Seal, 'seal' | 'open'>;
  /** Of the link to a file, by its id. */
  linkHashOf: (id: string) => string;
  now: () => number;
}) {
  const nameIn = (sealed: string) => seal.open('files.name', sealed) ?? '';
  const arriving = (id: string) =>
    store.updateTable('files').where('id', '=', id).where('size', 'is', null).where('refused', 'is', null);

  /** Takes the customer and the key from an upload that is under way: it can no longer end well. */
  async function letGo(id: string): Promise<void> {
    await arriving(id).set({ subject_id: null, key: id }).execute();
  }

  return {
    letGo,

    /** What the customer has uploaded under this key. Undefined if nothing, or if it is still arriving. */
    async byKey(subjectId: string, key: string): Promise<KnownFile | undefined> {
      const row = await store
        .selectFrom('files')
        .select(['id', 'name_sealed', 'type', 'size', 'width', 'height', 'refused'])
        .where('subject_id', '=', subjectId)
        .where('key', '=', key)
        .executeTakeFirst();
      if (!row || (row.size === null && row.refused === null)) return undefined;
      const { name_sealed: name, size, ...rest } = row;
      return { ...rest, name: nameIn(name), size: size ?? 0 };
    },

    /** Begins an upload, in the place of one under the same key that has not ended. Returns its id. */
    async begin(subjectId: string, key: string, name: string): Promise<string> {
      const older = await store
        .selectFrom('files')
        .select('id')
        .where('subject_id', '=', subjectId)
        .where('key', '=', key)
        .executeTakeFirst();
      if (older) await letGo(older.id);
      const id = newRowId();
      await store
        .insertInto('files')
        .values({
          id,
          subject_id: subjectId,
          key,
          link_hash: linkHashOf(id),
          name_sealed: seal.seal('files.name', name),
          type: '',
          created_at: now(),
        })
        .execute();
      return id;
    },

    /** False if the upload was replaced by a newer one, or its customer is gone. */
    async finish(id: string, subjectId: string, { name, ...arrived }: Arrived): Promise<boolean> {
      const { numUpdatedRows } = await arriving(id)
        .where('subject_id', '=', subjectId)
        .set({ ...arrived, name_sealed: seal.seal('files.name', name) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Its bytes were never kept. */
    async refuse(id: string, why: 'infected'): Promise<void> {
      await arriving(id).set({ refused: why }).execute();
    },

    async remove(id: string): Promise<void> {
      await store.deleteFrom('files').where('id', '=', id).execute();
    },

    /** The file of a message that this link is to. */
    async byLink(linkHash: string): Promise<LinkedFile | undefined> {
      const row = await store
        .selectFrom('files')
        .select(['id', 'name_sealed', 'type', 'size', 'width', 'sha256'])
        .where('link_hash', '=', linkHash)
        .where('operation_id', 'is not', null)
        .executeTakeFirst();
      if (!row || row.size === null || row.sha256 === null) return undefined;
      const { name_sealed: name, size, sha256, ...rest } = row;
      return { ...rest, size, sha256, name: nameIn(name) };
    },

    /** The ids of files that are no longer kept. `keepMs`: how long files of messages are. Null: as long as these. */
    async expired(keepMs: number | null, limit: number): Promise<string[]> {
      // The customer can no longer repeat what was refused or given up.
      await store
        .updateTable('files')
        .set({ operation_id: null })
        .where('operation_id', 'in', ({ selectFrom }) =>
          selectFrom('operations')
            .select('operations.id')
            .where(notDone('operations'))
            .where('operations.state', '=', 'rejected')
            .where('operations.payload_sealed', 'is', null),
        )
        .execute();
      // From here on no message can get them.
      await store
        .updateTable('files')
        .set({ subject_id: null })
        .where('operation_id', 'is', null)
        .where('subject_id', 'is not', null)
        .where('created_at', '<', now() - dayMs)
        .execute();
      const rows = await store
        .selectFrom('files')
        .select('id')
        .where((query) =>
          query.or([
            query.and([
              query('operation_id', 'is', null),
              query('subject_id', 'is', null),
              query.or([query('size', 'is not', null), query('created_at', '<', now() - arrivingMs)]),
            ]),
            ...(keepMs === null ? [] : [query('created_at', '<', now() - keepMs)]),
          ]),
        )
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** The bytes that have arrived since then. */
    async bytesSince(since: number): Promise<number> {
      const { sum } = await store
        .selectFrom('files')
        .select(({ fn }) => fn.sum<number | string | null>('size').as('sum'))
        .where('created_at', '>', since)
        .executeTakeFirstOrThrow();
      return Number(sum ?? 0);
    },

    async totals(): Promise<{ count: number; bytes: number; unsent: number }> {
      const row = await store
        .selectFrom('files')
        .select(({ fn, eb }) => [
          fn.countAll<number | string>().as('count'),
          fn.sum<number | string | null>('size').as('bytes'),
          fn
            .sum<number | string | null>(eb.case().when('operation_id', 'is', null).then(1).else(0).end())
            .as('unsent'),
        ])
        .where('size', 'is not', null)
        .executeTakeFirstOrThrow();
      return { count: Number(row.count), bytes: Number(row.bytes ?? 0), unsent: Number(row.unsent ?? 0) };
    },

    /** The files whose bytes are kept, after this id, in the order of their ids. */
    async kept(after: string, limit: number): Promise<{ id: string; size: number; sha256: string }[]> {
      const rows = await store
        .selectFrom('files')
        .select(['id', 'size', 'sha256'])
        .where('id', '>', after)
        .where('size', 'is not', null)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.flatMap(({ id, size, sha256 }) =>
        size === null || sha256 === null ? [] : [{ id, size, sha256 }],
      );
    },

    async has(id: string): Promise<boolean> {
      return (
        (await store.selectFrom('files').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
      );
    },
  };
}

export type Rows = ReturnType<typeof createRows>;
