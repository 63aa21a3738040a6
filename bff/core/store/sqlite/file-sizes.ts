import { stat } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

/** Bytes of the database and of its write-ahead log; nothing for a store in memory or on a server. */
export async function fileSizes<Tables>(
  store: Kysely<Tables>,
): Promise<{ file: 'database' | 'wal'; bytes: number }[]> {
  if (isPostgres(store)) return [];
  const { rows } = await sql<{ file: string }>`
    SELECT file FROM pragma_database_list WHERE name = 'main'
  `.execute(store);
  const path = rows[0]?.file;
  if (!path) return [];
  const bytesOf = async (name: string) => (await stat(name).catch(() => null))?.size ?? 0;
  return [
    { file: 'database', bytes: await bytesOf(path) },
    { file: 'wal', bytes: await bytesOf(`${path}-wal`) },
  ];
}
