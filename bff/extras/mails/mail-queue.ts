import type { ExpressionBuilder } from 'kysely';
import type { NoticeRow } from './tables.ts';
import type { Tables } from '../../core/store/schema.ts';
import type { Core } from '../../core/wiring.ts';
import { betweenMailsMs, type Offered } from './notices.ts';

/** A notice that only this process may mail now. */
export interface LeasedNotice extends NoticeRow {
  sending_answers: number;
  due_at: number;
  waiting_since: number;
  lease_until: number;
}

/**
 * How long one process may act on a mail alone. Must be longer than reading the ticket and sending the mail can take.
 */
export const mailLeaseMs = 120_000;
/** No time in the store is further in the future, unless the clock was set back since. */
const furthestMs = 2 * 86_400_000;

/**
 * The queue of due mails. Only one process at a time leases a row, and the row changes only under its fence. Times are
 * Unix milliseconds.
 */
export function createMailQueue({ store, now }: Core, offered: Offered) {
  const kinds = [
    ...(offered.answerAfterMs === null ? [] : ['answer' as const]),
    ...(offered.hasConfirmations ? ['confirmation' as const] : []),
  ];
  const waiting = () =>
    store.selectFrom('notices').where('kind', 'in', kinds).where('due_at', 'is not', null);
  const isFree =
    (at: number) =>
    ({ eb, or }: ExpressionBuilder<Tables, 'notices'>) =>
      or([
        eb('lease_until', 'is', null),
        eb('lease_until', '<=', at),
        eb('lease_until', '>', at + furthestMs),
      ]);

  const own =
    ({ ticket_id, kind, fence }: NoticeRow) =>
    ({ and, eb }: ExpressionBuilder<Tables, 'notices'>) =>
      and([eb('ticket_id', '=', ticket_id), eb('kind', '=', kind), eb('fence', '=', fence)]);
  const change = (row: NoticeRow) => store.updateTable('notices').where(own(row));

  async function remove(row: NoticeRow): Promise<void> {
    await store.deleteFrom('notices').where(own(row)).execute();
  }

  return {
    /** Up to `limit` due notices without a lease, by due time. */
    due(limit: number): Promise<NoticeRow[]> {
      const at = now();
      return waiting()
        .selectAll()
        .where(({ eb, or }) => or([eb('due_at', '<=', at), eb('due_at', '>', at + furthestMs)]))
        .where(isFree(at))
        .orderBy('due_at')
        .limit(limit)
        .execute();
    },

    /** When the next notice without a lease is due. Infinity when none waits. */
    async nextAt(): Promise<number> {
      const row = await waiting()
        .select(({ fn }) => fn.min('due_at').as('at'))
        .where(isFree(now()))
        .executeTakeFirst();
      return row?.at ?? Infinity;
    },

    /** The number of notices that are due, also of those that have failed and wait for their next attempt. */
    async countDue(): Promise<number> {
      const row = await waiting()
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(({ eb, or }) => or([eb('due_at', '<=', now()), eb('attempts', '>', 0)]))
        .executeTakeFirstOrThrow();
      return row.count;
    },

    /**
     * Leases a notice. Null when another process has changed it. Which answers the mail covers stays recorded until
     * its outcome is known. If this process ends before, the next mail is the same one.
     */
    async lease(row: NoticeRow): Promise<LeasedNotice | null> {
      const leased = await change(row)
        .set(({ eb, fn, ref }) => ({
          lease_until: now() + mailLeaseMs,
          fence: eb('fence', '+', 1),
          sending_answers: fn.coalesce('sending_answers', ref('answers')),
        }))
        .returningAll()
        .executeTakeFirst();
      return (leased as LeasedNotice | undefined) ?? null;
    },

    remove,

    /**
     * Ends the leases taken before `beforeMs`. To be called when all processes that took them are known to have
     * ended.
     */
    async release(beforeMs: number): Promise<void> {
      await store
        .updateTable('notices')
        .set({ lease_until: null })
        .where('lease_until', '<=', beforeMs + mailLeaseMs)
        .execute();
    },

    /** Marks the covered answers as needing no other mail. `isMailed`: the mail was accepted, or may have been. */
    async finish(row: LeasedNotice, isMailed: boolean): Promise<void> {
      if (row.kind === 'confirmation') return remove(row);
      const at = now();
      const nextAt = at + (isMailed ? betweenMailsMs : (offered.answerAfterMs ?? 0));
      await change(row)
        .set(({ case: when, cast, val }) => {
          const ifMore = (time: number) =>
            when()
              .when('answers', '>', row.sending_answers)
              .then(cast<number>(val(time), 'bigint'))
              .else(null)
              .end();
          return {
            mailed_answers: row.sending_answers,
            sending_answers: null,
            attempts: 0,
            lease_until: null,
            due_at: ifMore(nextAt),
            waiting_since: ifMore(at),
            ...(isMailed && { mailed_at: at }),
          };
        })
        .execute();
    },

    /**
     * Schedules another attempt. `isUncertain`: the mail may have been accepted, so the next attempt sends the same
     * one.
     */
    async postpone(row: LeasedNotice, inMs: number, isUncertain: boolean): Promise<void> {
      await change(row)
        .set({
          due_at: now() + inMs,
          lease_until: null,
          attempts: row.attempts + 1,
          ...(!isUncertain && { sending_answers: null }),
        })
        .execute();
    },
  };
}

export type MailQueue = ReturnType<typeof createMailQueue>;
