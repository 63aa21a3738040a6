import type { CustomerData, StoredSend, StoredTicket } from '../contract/customer-data.ts';
import type { Consent } from '../contract/form.ts';
import type { TicketSummary } from '../contract/tickets.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Subject } from '../session/subjects.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { type Operations, payloadOf } from './operations.ts';
import type { Views } from './views.ts';

const isoTime = (ms: number) => new Date(ms).toISOString();

const toTicket = (ticket: TicketSummary, mailed: ReadonlySet<string>): StoredTicket[] =>
  ticket.id === null
    ? []
    : [
        {
          id: ticket.id,
          ticket_number: ticket.ticket_number,
          subject: ticket.subject,
          status: ticket.status,
          priority: ticket.priority,
          created_at: ticket.created_at,
          updated_at: ticket.updated_at,
          preview: ticket.preview?.text ?? null,
          answers_by_mail: mailed.has(ticket.id),
        },
      ];

/** Collects the stored data of a subject, as far as the subject may see it: no secrets, hashes or keys. */
export function createCustomerData(deps: {
  sessions: Pick<Sessions, 'devices'>;
  operations: Pick<Operations, 'ofSubject'>;
  views: Pick<Views, 'list'>;
  /** The tickets of this list about which the subject gets mails. */
  notices: { mailed: (ticketIds: readonly string[]) => Promise<ReadonlySet<string>> };
  /** The consents, by operation. */
  consents: { of: (operationIds: readonly string[]) => Promise<ReadonlyMap<string, Consent>> };
  seal: Seal;
  now: () => number;
}) {
  const { sessions, operations, views, notices, consents, seal, now } = deps;

  async function toSends(rows: readonly OperationRow[]): Promise<StoredSend[]> {
    const given = await consents.of(rows.map(({ id }) => id));
    return rows.map((row) => {
      const consent = given.get(row.id);
      return {
        kind: row.kind,
        state: row.state,
        created_at: isoTime(row.created_at),
        finished_at: row.finished_at === null ? null : isoTime(row.finished_at),
        ticket_id: row.ticket_id,
        content: payloadOf(seal, row),
        ...(consent && { consent }),
      };
    });
  }

  return {
    async of({ id, contact, isVerified }: Subject): Promise<CustomerData> {
      const devices = await sessions.devices(id);
      const tickets = await views.list(id);
      const mailed = await notices.mailed(tickets.flatMap((ticket) => ticket.id ?? []));
      return {
        version: 1,
        exported_at: isoTime(now()),
        email: contact?.email ?? null,
        name: contact?.name ?? null,
        verified: isVerified,
        devices: devices.map(({ createdAt, usedAt }) => ({
          created_at: isoTime(createdAt),
          last_used_at: isoTime(usedAt),
        })),
        tickets: tickets.flatMap((ticket) => toTicket(ticket, mailed)),
        sends: await toSends(await operations.ofSubject(id)),
      };
    },

    toSends,
  };
}

export type CustomerDataReader = ReturnType<typeof createCustomerData>;
