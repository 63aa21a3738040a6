import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Environment, parseConfig } from '../config.ts';
import { createLog } from '../core/log/log.ts';
import { createMetrics } from '../core/metrics/metrics.ts';
import { loadAssets } from '../core/http/files/assets.ts';
import { openSite } from '../running-site.ts';
import { makeWidgetFolder } from '../testing/widget-folder.ts';

let assets: ReturnType<typeof loadAssets> | undefined;

/**
 * Starts a BFF as the server does, ends it before it sends anything, and tells what it has.
 * @throws when it does not start
 */
export async function restartOn(env: Environment & { DATA_DIR: string }) {
  assets ??= loadAssets(makeWidgetFolder());
  const config = parseConfig(env);
  const site = await openSite({ config, assets, metrics: createMetrics(), log: createLog('silent') });
  const store = site.store!;
  try {
    const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(store);
    const damaged = rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    const sends = await store.selectFrom('operations').select(['key', 'state', 'attempts']).execute();
    const files = await store
      .selectFrom('files')
      .select(['id', 'sha256'])
      .where('size', 'is not', null)
      .execute();
    for (const { id, sha256 } of files) {
      const bytes = await readFile(join(config.dataDir, 'files', id.slice(-2), id)).catch(() => Buffer.of());
      if (createHash('sha256').update(bytes).digest('hex') !== sha256)
        damaged.push(`the file ${id} has ${bytes.length} bytes, or others`);
    }
    return {
      sends: new Map(sends.map(({ key, ...send }) => [key, send])),
      files: new Set(files.map(({ id }) => id)),
      damaged,
    };
  } finally {
    await site.stop(0, Promise.resolve());
  }
}
