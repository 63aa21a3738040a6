import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type CompiledQuery, Kysely } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '../store/open.ts';
import type { OperationRow, Tables } from '../store/schema.ts';
import { sqliteDialect, storeFileName } from '../store/sqlite/open-file.ts';
import { createTestLedger } from '../../testing/delivery/ledger.ts';
import { createQueue } from './due.ts';
import { createLedgerCounts } from './operator.ts';
import { createOperationChanges } from './changing-holders.ts';
import { createSendRetention } from './retention.ts';
import { coreSchema } from '../store/migrations.ts';

const now = () => 1;
const keep = { rejectedMs: 0, undecidedMs: 0 };
const row = {
  id: 'id',
  ticket_id: 't1',
  kind: 'message',
  state: 'accepted',
  attempts: 0,
  fence: 0,
} as OperationRow;

let dir: string;
let store: Store;
let asked: CompiledQuery[];

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'deskside-plans-'));
  await (await openStore({ dataDir: dir }, coreSchema)).destroy();
  store = new Kysely<Tables>({
    dialect: sqliteDialect({ dataDir: dir }, coreSchema),
    log: ({ query }) => void asked.push(query),
  });
  asked = [];
});
afterEach(() => store.destroy());

const queue = () => createQueue({ store });
const counts = () => createLedgerCounts({ store, now });
const retention = () => createSendRetention({ store, ledger: ledger(), keep, now });
const ledger = () => createTestLedger({ store, leaseMs: 1, now, elapsed: now });
const attempt = { seen_ids: '[]', started_there: null, with_ref: 1 };

/** SQLite's plan for each statement, one line for each step. */
function plans(): string[] {
  const sqlite = new Database(join(dir, storeFileName), { readonly: true });
  const steps = asked.flatMap(({ sql, parameters }) =>
    sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${sql}`).all(...parameters),
  );
  sqlite.close();
  return steps.map(({ detail }) => detail);
}

/** Few rows are not done, and these indexes contain only such rows. */
const ofFew = /^SCAN \w+ USING (COVERING )?INDEX operations_(one_underway|not_done)$/;
const ofAll = /^SCAN (operations|own|other|old|opening|duplicate|owner)\b|PRIMARY KEY \(rowid[<>]/;

it.each<[string, () => Promise<unknown>]>([
  ['a poll', () => queue().poll(1, 10)],
  ['a look for stranded sends', () => queue().abandoned(1)],
  ['the claim of a send', () => ledger().claim(row, attempt)],
  ['the refusal of a send', () => ledger().move(row, { type: 'revoked' })],
  [
    'the outcome of a send',
    () => ledger().move({ ...row, state: 'sending' }, { type: 'found', upstream: { id: 'm1', facts: null } }),
  ],
  ['a look for failed sends before one', () => queue().isBehindFailed(row)],
  ['a count of undecided sends', () => counts().undecided()],
  ['the age of the oldest send', () => counts().oldestUndeliveredSec()],
  ['the erasure of delivered texts', () => retention().eraseDelivered(10)],
  ['the erasure of refused texts', () => retention().eraseRejected(10)],
  ['the end of undecided sends', () => retention().expireUndecided(10)],
  ['the removal of a ticket', () => retention().removeTo(row, store)],
  ['a search for the tickets of an address', () => retention().openedUnder('hash')],
  ['a claim', () => createOperationChanges({ now }).endUndecided(['t1'], 'owner', store)],
])('the query for %s uses an index, however many sends are done', async (_, ask) => {
  await ask();
  const steps = plans();
  expect(steps.length).toBeGreaterThan(0);
  expect(steps.filter((step) => ofAll.test(step) && !ofFew.test(step))).toEqual([]);
});
