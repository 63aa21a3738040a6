import type { AcceptedFiles } from '../../../shared/contract/accepted.ts';
import type { StoredFile } from '../../../shared/contract/customer-data.ts';
import { isoTime } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import { listOf } from '../../core/store/dialect.ts';
import type { Store } from '../../core/store/open.ts';
import type { Core } from '../../core/wiring.ts';
import { writeLine } from './lines.ts';
import type { Links } from './links.ts';
import type { FileRow } from './tables.ts';

const refusal = () => new AppError('invalid_request', { fields: { files: 'invalid' } });

/** Attaches uploaded files to the send of their customer. It knows nothing of their bytes. */
export function createAttach(
  { store, seal }: Pick<Core, 'store' | 'seal'>,
  { links, maxCount }: { links: Links; maxCount: number },
) {
  const nameOf = (row: Pick<FileRow, 'name_sealed'>) => seal.open('files.name', row.name_sealed) ?? 'file';

  function lineOf(row: FileRow): string {
    const name = nameOf(row);
    const pixels = row.width && row.height ? { width: row.width, height: row.height } : {};
    return writeLine({ name, size: row.size ?? 0, ...pixels }, links.urlOf(links.tokenOf(row.id), name));
  }

  return {
    /**
     * SECURITY: only files that this customer has uploaded and no send has.
     * @throws {AppError} `invalid_request` at the field `files`
     */
    async accept(ids: string[], subjectId: string): Promise<AcceptedFiles> {
      if (ids.length > maxCount) throw refusal();
      const rows = await store
        .selectFrom('files')
        .selectAll()
        .where('id', 'in', ids)
        .where('subject_id', '=', subjectId)
        .where('operation_id', 'is', null)
        .where('size', 'is not', null)
        .where('refused', 'is', null)
        .execute();
      if (rows.length !== ids.length) throw refusal();
      const byId = new Map(rows.map((row) => [row.id, row]));
      return { ids, lines: ids.map((id) => lineOf(byId.get(id)!)) };
    },

    /**
     * The files belong to the send from now on. `db`: the transaction that records it.
     * @throws {AppError} `invalid_request` when another send has taken one meanwhile
     */
    async attach(ids: readonly string[], subjectId: string, operationId: string, db: Store): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('files')
        .set({ operation_id: operationId, subject_id: null })
        .where('id', 'in', ids)
        .where('subject_id', '=', subjectId)
        .where('operation_id', 'is', null)
        .executeTakeFirstOrThrow();
      if (Number(numUpdatedRows) !== ids.length) throw refusal();
    },

    /**
     * Takes the files from all sends of a customer, so that their links end and housekeeping removes their bytes. Such a
     * send may stay, since somebody else holds the ticket.
     */
    async detachAll(subjectId: string, db: Store): Promise<void> {
      await db
        .updateTable('files')
        .set({ operation_id: null })
        .where('operation_id', 'in', ({ selectFrom }) =>
          selectFrom('operations').select('operations.id').where('operations.subject_id', '=', subjectId),
        )
        .execute();
    },

    /** What is kept with these sends, by operation. */
    async ofSends(operationIds: readonly string[]): Promise<Map<string, { files: StoredFile[] }>> {
      const rows = await store
        .selectFrom('files')
        .selectAll()
        .where('operation_id', 'in', listOf(store, JSON.stringify(operationIds)))
        .orderBy('created_at')
        .execute();
      const found = new Map<string, { files: StoredFile[] }>();
      for (const row of rows) {
        const name = nameOf(row);
        const file = {
          name,
          type: row.type,
          size: row.size ?? 0,
          url: links.urlOf(links.tokenOf(row.id), name),
          uploaded_at: isoTime(row.created_at),
        };
        const id = row.operation_id!;
        found.set(id, { files: [...(found.get(id)?.files ?? []), file] });
      }
      return found;
    },
  };
}
