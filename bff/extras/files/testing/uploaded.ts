import { newRowId } from '../../../core/store/schema.ts';
import type { TestBff } from '../../../testing/bff.ts';
import { createLinks } from '../links.ts';

/** Settings of a BFF that takes files. */
export const withFiles = {
  values: { FILES: 'on', FILES_MAX_BYTES: 10_000_000, FILES_MAX_COUNT: 5 },
} as const;

/** Writes the row of a picture that this customer has uploaded, without bytes. Returns its id. */
export async function addFile(bff: TestBff, subjectId: string | null, more: { size?: number | null } = {}) {
  const id = newRowId();
  const links = createLinks(bff, bff.config.publicUrl);
  await bff.store
    .insertInto('files')
    .values({
      id,
      subject_id: subjectId,
      key: id,
      operation_id: null,
      link_hash: links.hashOf(links.tokenOf(id)),
      name_sealed: bff.seal.seal('files.name', 'lid.jpg'),
      type: 'image/jpeg',
      size: 1_234_567,
      width: 1_280,
      height: 960,
      sha256: 'ab'.repeat(32),
      refused: null,
      created_at: bff.now(),
      ...more,
    })
    .execute();
  return id;
}
