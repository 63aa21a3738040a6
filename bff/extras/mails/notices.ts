import type { Insertable } from 'kysely';
import { createCache } from '../../core/cache.ts';
import type { AcceptedTicket } from '../../../shared/contract/accepted.ts';
import type { Store } from '../../core/store/open.ts';
import { listOf } from '../../core/store/dialect.ts';
import type { NoticeTable } from './tables.ts';
import { prepare } from '../../core/store/statements/prepared.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import { payloadOf } from '../../core/tickets/operations.ts';
import type { Core } from '../../core/wiring.ts';
import type { Suppressions } from './suppressions.ts';

/** The mails that the operator sends. */
export interface Offered {
  /** How long an answer waits before it is mailed. Null: answers are not mailed. */
  answerAfterMs: number | null;
  hasConfirmations: boolean;
}

const minuteMs = 60_000;
/** The least time between two mails about one ticket. */
export const betweenMailsMs = 15 * minuteMs;
/** How long after the customer's last message a ticket is read for answers. */
const followMs = 14 * 24 * 60 * minuteMs;
/** The pause between that message and the first read. */
export const firstReadMs = minuteMs;
/** How many tickets' numbers of answers are remembered, so that a read with nothing new costs no statement. */
const maxRemembered = 5_000;

/** Records events of tickets that make a mail due. Times are Unix milliseconds. */
export function createNotices(
  { store, seal, subjects, now }: Core,
  suppressions: Suppressions,
  { answerAfterMs, hasConfirmations }: Offered,
) {
  const remembered = createCache<number>(maxRemembered);

  const seen = prepare(
    (of: { ticketId: string; answers: number; at: number; dueAt: number; apartAt: number }) =>
      store
        .updateTable('notices')
        .set(({ case: when, eb, fn, ref, val }) => ({
          answers: of.answers,
          changed_at: of.at,
          waiting_since: fn.coalesce('waiting_since', val(of.at)),
          due_at: when()
            .when('due_at', 'is not', null)
            .then(ref('due_at'))
            .when('mailed_at', '>', of.apartAt)
            .then(eb('mailed_at', '+', betweenMailsMs))
            .else(of.dueAt)
            .end(),
        }))
        .where('ticket_id', '=', of.ticketId)
        .where('kind', '=', 'answer')
        .where('answers', '<', of.answers),
  );
  const followed = () => store.updateTable('notices').where('kind', '=', 'answer');

  return {
    /**
     * Records a new ticket in the transaction `db`, with the mails that its customer wants and the operator sends.
     */
    async addOpened(opening: OperationRow, db: Store): Promise<void> {
      const payload = payloadOf(seal, opening) as AcceptedTicket | null;
      if (!payload) return;
      const { customer_email: email, language = 'en' } = payload;
      const at = now();
      const row = {
        ticket_id: opening.ticket_id!,
        contact_sealed: seal.seal('notices.contact', { email, language }),
        address_hash: subjects.addressHash(email),
        mailbox_hash: subjects.mailboxHash(email),
        changed_at: at,
        look_until: at + followMs,
      };
      const rows: Insertable<NoticeTable>[] = [];
      if (hasConfirmations) rows.push({ ...row, kind: 'confirmation', waiting_since: at, due_at: at });
      if (answerAfterMs !== null && payload.notify)
        rows.push({ ...row, kind: 'answer', look_at: at + firstReadMs });
      if (rows.length === 0 || (await suppressions.has([row.address_hash, row.mailbox_hash], db))) return;
      await db
        .insertInto('notices')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Records the number of agents' messages. */
    async answersSeen(ticketId: string, answers: number): Promise<void> {
      if (answerAfterMs === null || (remembered.get(ticketId) ?? 0) >= answers) return;
      const at = now();
      const dueAt = at + answerAfterMs;
      await seen(store, { ticketId, answers, at, dueAt, apartAt: dueAt - betweenMailsMs });
      remembered.set(ticketId, answers);
    },

    /** A message of the customer was delivered: the ticket is read for answers again. */
    async customerWrote(ticketId: string): Promise<void> {
      if (answerAfterMs === null) return;
      const at = now();
      await followed()
        .set({ changed_at: at, look_at: at + firstReadMs, look_until: at + followMs })
        .where('ticket_id', '=', ticketId)
        .execute();
    },

    /** The ticket may have changed: it is read soon. */
    async readSoon(ticketId: string): Promise<void> {
      if (answerAfterMs === null) return;
      const at = now();
      await followed()
        .set({ look_at: at })
        .where('ticket_id', '=', ticketId)
        .where('look_until', '>', at)
        .execute();
    },

    /** Removes all mails to this address or, as a hash of the part before a plus sign, this mailbox. */
    async removeOf(hash: string): Promise<void> {
      await store
        .deleteFrom('notices')
        .where(({ eb, or }) => or([eb('address_hash', '=', hash), eb('mailbox_hash', '=', hash)]))
        .execute();
    },

    /** The tickets of this list with a customer who gets mails about answers. */
    async mailed(ticketIds: readonly string[]): Promise<Set<string>> {
      if (answerAfterMs === null) return new Set();
      const rows = await store
        .selectFrom('notices')
        .select('ticket_id')
        .where('kind', '=', 'answer')
        .where('ticket_id', 'in', listOf(store, JSON.stringify(ticketIds)))
        .execute();
      return new Set(rows.map((row) => row.ticket_id));
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
