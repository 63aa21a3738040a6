import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../../core/store/open.ts';
import { inSql, prepare } from '../../core/store/statements/prepared.ts';
import { together } from '../../core/together.ts';

/**
 * What an instance reports to the others. It contains no text of a customer: the readers look that up in the store.
 *
 * | kind | `subjectId` | `about` |
 * | --- | --- | --- |
 * | `operation`: the state of a send changed | its sender | id of the operation |
 * | `subject`: the set of a subject's tickets changed | the subject | |
 * | `session`: a session was signed out | its subject | id of the session |
 * | `sessions`: all sessions of a subject were ended | the subject | |
 * | `view`: a subject's own view of a ticket changed | the subject | id of the ticket |
 * | `ticket`: a ticket may have changed | | id of the ticket |
 * | `found`: its reader has read something new, or could not read | | digest of the read or nothing, space, id of the ticket |
 * | `shards`: an instance has given up reading some tickets | | |
 */
export interface Change {
  kind: 'operation' | 'subject' | 'session' | 'sessions' | 'view' | 'ticket' | 'found' | 'shards';
  subjectId: string | null;
  about: string | null;
}

/** The number of the last change that was read, by shard. */
export type Cursor = Map<number, number>;

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type ChangeLogTables = {
  outbox: {
    shard: number;
    seq: number;
    kind: Change['kind'];
    subject_id: string | null;
    about: string | null;
    instance: string;
    created_at: number;
  };
  outbox_shards: { shard: number; last_seq: number };
};

/** Writers of one shard wait for each other's commit. */
const shards = 16;
const changesAtOnce = 500;

const shardOf = ({ subjectId, about }: Change) =>
  createHash('sha1')
    .update(subjectId ?? about ?? '')
    .digest()[0]! % shards;

/**
 * The change log, in the tables `outbox` and `outbox_shards` of PostgreSQL. `instance`: the name of this instance.
 * Times are Unix milliseconds.
 */
export function createChangeLog(store: Store, instance: string, now: () => number) {
  const db = store.withTables<ChangeLogTables>();

  const insert = prepare(({ told, at }: { told: string; at: number }) =>
    inSql(
      sql`
        WITH told AS (
          SELECT * FROM json_to_recordset(cast(${told} AS json))
            AS told (nth integer, shard integer, kind text, "subjectId" text, about text)
        ), next AS (
          INSERT INTO outbox_shards SELECT shard, count(*) FROM told GROUP BY shard ORDER BY shard
          ON CONFLICT (shard) DO UPDATE SET last_seq = outbox_shards.last_seq + excluded.last_seq
          RETURNING shard, last_seq
        )
        INSERT INTO outbox (shard, seq, kind, subject_id, about, instance, created_at)
        SELECT shard, last_seq + 1 - row_number() OVER (PARTITION BY shard ORDER BY nth DESC), kind, "subjectId",
          about, ${instance}, cast(${at} AS bigint)
        FROM told JOIN next USING (shard)`,
      store,
    ),
  );

  async function appendAll(changes: readonly Change[]): Promise<void[]> {
    const told = changes.map((change, nth) => ({ ...change, nth, shard: shardOf(change) }));
    await insert(store, { told: JSON.stringify(told), at: now() });
    return changes.map(() => {});
  }

  return {
    /**
     * The row of the shard is locked until the commit, so the numbers of a shard are in the order of commits. A
     * reader who continues from the last number misses no change.
     */
    append: together(appendAll, { atOnce: 1 }),

    /** The current end of the log, from which a new instance reads. Earlier changes do not concern it. */
    async end(): Promise<Cursor> {
      const rows = await db.selectFrom('outbox_shards').selectAll().execute();
      const last = new Map(rows.map((row) => [row.shard, row.last_seq]));
      return new Map(Array.from({ length: shards }, (_, shard) => [shard, last.get(shard) ?? 0]));
    },

    /**
     * Reads the changes of other instances and advances the cursor. Up to 500 changes; `isMore` when there may be
     * more.
     */
    async read(cursor: Cursor): Promise<{ changes: Change[]; isMore: boolean }> {
      const from = JSON.stringify(Array.from(cursor, ([shard, seq]) => ({ shard, seq })));
      const { rows } = await sql<ChangeLogTables['outbox']>`
        SELECT outbox.* FROM outbox
        JOIN json_to_recordset(cast(${from} AS json)) AS seen (shard integer, seq bigint)
          ON outbox.shard = seen.shard AND outbox.seq > seen.seq
        ORDER BY outbox.shard, outbox.seq LIMIT ${changesAtOnce}`.execute(db);
      for (const { shard, seq } of rows) cursor.set(shard, seq);
      const changes = rows
        .filter((row) => row.instance !== instance)
        .map(({ kind, subject_id: subjectId, about }) => ({ kind, subjectId, about }));
      return { changes, isMore: rows.length === changesAtOnce };
    },

    /** Removes up to `limit` changes that are older than `before`. Returns how many. */
    async removeBefore(before: number, limit: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('outbox')
        .where(({ eb, refTuple, selectFrom }) =>
          eb(
            refTuple('shard', 'seq'),
            'in',
            selectFrom('outbox as old')
              .select(['old.shard', 'old.seq'])
              .where('old.created_at', '<', before)
              .limit(limit)
              .$asTuple('shard', 'seq'),
          ),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },

    /**
     * Wakes the other instances. Must not run in a transaction, because all notifying transactions wait for one lock of
     * the whole server.
     */
    async notify(): Promise<void> {
      await sql`SELECT pg_notify(${channel}, '')`.execute(db);
    },
  };
}

/** The channel by which instances are woken. */
export const channel = 'deskside_changes';

export type ChangeLog = ReturnType<typeof createChangeLog>;
