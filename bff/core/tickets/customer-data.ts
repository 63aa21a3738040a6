import type {
  CustomerData,
  StoredMail,
  StoredSend,
  StoredTicket,
} from '../../../shared/contract/customer-data.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import { isoTime } from '../clock.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Subject } from '../identity/subjects.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { isWithheld } from './by-mail.ts';
import { type Operations, payloadOf } from './operations.ts';
import type { Views } from './views.ts';

type More<Data> = readonly (ReadonlyMap<string, Partial<Data>> | undefined)[];

const dataOf = <Data>(id: string, more: More<Data>): Partial<Data> =>
  Object.assign({}, ...more.map((found) => found?.get(id)));

const toTicket = (ticket: TicketSummary, more: More<StoredTicket>): StoredTicket[] =>
  ticket.id === null || ticket.colleague
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
          answers_by_mail: false,
          ...dataOf(ticket.id, more),
        },
      ];

/** A part of the BFF that stores more of a customer's tickets and sends. */
export interface DataHook {
  /** By ticket. `subjectId`: whose data is asked for. */
  ticketData?(
    ticketIds: readonly string[],
    subjectId: string,
  ): Promise<ReadonlyMap<string, Partial<StoredTicket>>>;
  /** By operation. */
  sendData?(operationIds: readonly string[]): Promise<ReadonlyMap<string, Partial<StoredSend>>>;
  /** What it stores under an address, and of no customer. */
  addressData?(addressHash: string): Promise<{ mails?: StoredMail[] }>;
  /** Removes that. */
  onForget?(addressHash: string): Promise<void>;
}

/** Collects the stored data of a subject, as far as the subject may see it: no secrets, hashes or keys. */
export function createCustomerData(deps: {
  sessions: Pick<Sessions, 'devices'>;
  operations: Pick<Operations, 'ofSubject'>;
  views: Pick<Views, 'list'>;
  parts?: readonly DataHook[];
  seal: Seal;
  now: () => number;
}) {
  const { sessions, operations, views, parts = [], seal, now } = deps;

  async function toSends(rows: readonly OperationRow[]): Promise<StoredSend[]> {
    const ids = rows.map(({ id }) => id);
    const more = await Promise.all(parts.map(async (part) => part.sendData?.(ids)));
    return rows.map((row) => ({
      kind: row.kind,
      state: row.state,
      created_at: isoTime(row.created_at),
      finished_at: row.finished_at === null ? null : isoTime(row.finished_at),
      ticket_id: row.ticket_id,
      content: isWithheld(row) ? null : payloadOf(seal, row),
      ...(!isWithheld(row) && dataOf(row.id, more)),
    }));
  }

  return {
    async of({ id, contact, isVerified }: Subject): Promise<CustomerData> {
      const devices = await sessions.devices(id);
      const tickets = await views.list(id);
      const ids = tickets.flatMap((ticket) => ticket.id ?? []);
      const more = await Promise.all(parts.map(async (part) => part.ticketData?.(ids, id)));
      return {
        version: 1,
        exported_at: isoTime(now()),
        email: contact?.email ?? null,
        name: contact?.name ?? null,
        verified: isVerified,
        devices: devices.map(({ createdAt, usedAt, attributes }) => ({
          created_at: isoTime(createdAt),
          last_used_at: isoTime(usedAt),
          ...(attributes && { attributes }),
        })),
        tickets: tickets.flatMap((ticket) => toTicket(ticket, more)),
        sends: await toSends(await operations.ofSubject(id)),
      };
    },

    toSends,
  };
}

export type CustomerDataReader = ReturnType<typeof createCustomerData>;
