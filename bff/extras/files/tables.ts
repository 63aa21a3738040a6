import type { Kysely, Selectable } from 'kysely';
import { optional, required, type Schema } from '../../core/store/migrations.ts';

declare module '../../core/store/schema.ts' {
  interface Tables {
    files: FileTable;
  }
  interface SealedColumns {
    'files.name': string;
  }
}

/**
 * A file that a customer has uploaded. Its row is written before its first byte is stored, so that every stored object
 * has a row. When its send is deleted, `operation_id` becomes null: its link ends, and its bytes are removed soon.
 */
interface FileTable {
  id: string;
  /** Who may attach it. Null once a send has it, or when the customer was deleted. */
  subject_id: string | null;
  /** The `Idempotency-Key` of the upload. */
  key: string;
  /** The send that it is attached to. */
  operation_id: string | null;
  /** A hash of the token in its link. */
  link_hash: string;
  name_sealed: string;
  /** Media type, by its content. */
  type: string;
  /** In bytes. Null while it arrives. */
  size: number | null;
  /** Pixels as a person sees them, for a picture that is shown. */
  width: number | null;
  height: number | null;
  /** Of the stored bytes, in hex. */
  sha256: string | null;
  /** Why it was refused. Its bytes are gone. */
  refused: 'infected' | null;
  created_at: number;
}

export type FileRow = Selectable<FileTable>;

export const fileSchema: Schema = {
  migrations: { 'extra-files-1': { up: createTables } },
  keys: { files: ['id'] },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('files')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('subject_id', 'text', (c) => c.references('subjects.id').onDelete('set null'))
    .addColumn('operation_id', 'text', (c) => c.references('operations.id').onDelete('set null'))
    .$call((table) => required(table, 'text', ['key', 'link_hash', 'name_sealed', 'type']))
    .$call((table) => optional(table, 'bigint', ['size']))
    .$call((table) => optional(table, 'integer', ['width', 'height']))
    .$call((table) => optional(table, 'text', ['sha256', 'refused']))
    .$call((table) => required(table, 'bigint', ['created_at']))
    .execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`files_${name}`).on('files').columns(columns);
  await index('by_link', ['link_hash']).unique().execute();
  // An upload that is repeated finds its row.
  await index('by_upload', ['subject_id', 'key']).unique().execute();
  // Foreign keys look for it when a send is deleted.
  await index('by_send', ['operation_id']).execute();
  // For removal, and for the total of the day.
  await index('by_time', ['created_at']).execute();
}
