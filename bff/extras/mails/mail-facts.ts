import type { AcceptedTicket } from '../../../shared/contract/accepted.ts';
import type { NoticeRow } from './tables.ts';
import type { TicketFacts } from '../../core/store/schema.ts';
import { cut } from '../../core/text/canonical.ts';
import { payloadOf } from '../../core/tickets/operations.ts';
import { inOrder } from '../../core/tickets/present.ts';
import type { V1Thread } from '../../core/v1/schema.ts';
import type { Core } from '../../core/wiring.ts';

/** Facts about the holders of a ticket. */
interface Holders {
  /** The greatest number of agents' messages that one of them has read. */
  read: number;
  /** Whether one of them has proven the address that the ticket was opened under. */
  hasProven: boolean;
}

/** The maximum number of characters that a mail quotes. */
const maxQuoted = 30_000;

/** Looks up the facts for a mail. */
export function createMailFacts({ store, seal }: Core) {
  return {
    /** Null when nobody holds it any more. */
    async holders({ ticket_id, address_hash }: NoticeRow): Promise<Holders | null> {
      const holders = await store
        .selectFrom('grants')
        .innerJoin('subjects', 'subjects.id', 'subject_id')
        .select(['read_count', 'verified', 'address_hash'])
        .where('ticket_id', '=', ticket_id)
        .where('colleague', '=', 0)
        .execute();
      if (holders.length === 0) return null;
      return {
        read: Math.max(...holders.map(({ read_count }) => read_count)),
        hasProven: holders.some((each) => each.verified === 1 && each.address_hash === address_hash),
      };
    },

    async ticket(ticketId: string): Promise<TicketFacts | null> {
      const row = await store
        .selectFrom('tickets')
        .select('facts_sealed')
        .where('id', '=', ticketId)
        .executeTakeFirst();
      return row ? seal.open('tickets.facts', row.facts_sealed) : null;
    },

    /** The customer's text. Null once it is erased. */
    async description(ticketId: string): Promise<string | null> {
      const opening = await store
        .selectFrom('operations')
        .select('payload_sealed')
        .where('kind', '=', 'ticket')
        .where('ticket_id', '=', ticketId)
        .executeTakeFirst();
      const payload = opening && (payloadOf(seal, opening) as AcceptedTicket | null);
      return payload?.description ?? null;
    },
  };
}

/** The agents' messages after answer `from`, up to answer `to`: as many as fit, and at least the newest. */
export function answersIn(thread: V1Thread, from: number, to: number): string[] {
  const answers = inOrder(thread.messages).filter(({ author_type }) => author_type === 'agent');
  const kept: string[] = [];
  let left = maxQuoted;
  for (const { body } of answers.slice(from, to).toReversed()) {
    if (left <= 0) break;
    kept.unshift(body.length <= left ? body : `${cut(body, left)}…`);
    left -= body.length;
  }
  return kept;
}
