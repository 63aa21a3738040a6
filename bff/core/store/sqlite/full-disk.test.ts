import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createMetrics } from '../../metrics/metrics.ts';
import { isUnavailable } from '../errors.ts';
import { coreSchema } from '../migrations.ts';
import { openStore } from '../open.ts';
import { inTransaction } from '../statements/transaction.ts';

it('a transaction on a full disk fails with the code of a full disk, and is counted under it', async () => {
  const metrics = createMetrics();
  const store = await openStore(
    { dataDir: mkdtempSync(join(tmpdir(), 'deskside-full-')) },
    coreSchema,
    metrics,
  );
  await sql`pragma max_page_count = 1`.execute(store);
  const write = inTransaction(store, (trx) =>
    trx
      .insertInto('used_once')
      .values({ purpose: 'write check', hash: 'x'.repeat(99_999), expires_at: 0 })
      .execute(),
  );
  await expect(write).rejects.toSatisfy(isUnavailable);
  const { values } = await metrics.statementErrors.get();
  expect(values.map(({ labels, value }) => [labels.code, value])).toEqual([['SQLITE_FULL', 1]]);
  await store.destroy();
});
