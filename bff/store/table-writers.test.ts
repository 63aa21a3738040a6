import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The files that may change each table's rows. Rows are best understood where a single file writes them. */
const writers: Record<string, string[]> = {
  article_votes: ['articles/votes.ts'],
  codes: ['identity/codes.ts'],
  consents: ['delivery/record.ts'],
  grants: ['tickets/grant-statements.ts', 'tickets/grants.ts'],
  handoffs: ['identity/handoffs.ts'],
  instances: ['instances/members.ts'],
  interests: ['instances/interests.ts'],
  limits: ['limits/counters.ts'],
  listed_tickets: ['history/external-tickets.ts'],
  notices: ['notify/mail-queue.ts', 'notify/notices.ts', 'notify/read-schedule.ts'],
  operations: ['delivery/ledger.ts', 'delivery/operator.ts', 'delivery/record.ts', 'delivery/retention.ts'],
  outbox: ['instances/change-log.ts'],
  outbox_shards: ['instances/change-log.ts'],
  script_bodies: ['store/records/scripts.ts'],
  scripts: ['store/records/scripts.ts'],
  seal_check: ['store/open.ts'],
  services: ['store/records/services.ts'],
  sessions: ['session/sessions.ts'],
  silent_addresses: ['notify/suppressions.ts'],
  subjects: ['session/subjects.ts'],
  tickets: ['tickets/ticket-records.ts'],
  transfers: ['tickets/offers.ts'],
  used_once: ['store/records/used-once.ts', 'store/writable.ts'],
  watch_shards: ['instances/leases.ts'],
};

const write = /\.(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(\s*([^)\s]+?)\s*\)/g;
/** Excluded, because it only fills an empty store. */
const copier = 'store/copy.ts';
const isOfTests = (file: string) => /\.test\.ts$|^testing\/|\/testing\.ts$|\/migrations\//.test(file);

it('each table is written by its own files only', () => {
  const found: Record<string, Set<string>> = {};
  const bff = new URL('..', import.meta.url);
  const files = readdirSync(bff, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && name !== copier && !isOfTests(name)))
    for (const [, table] of readFileSync(new URL(file, bff), 'utf8').matchAll(write))
      (found[table!.replace(/^'|'$/g, '')] ??= new Set()).add(file);
  const sorted = Object.entries(found).map(([table, names]) => [table, [...names].sort()]);
  expect(Object.fromEntries(sorted)).toEqual(writers);
});
