import type { SendRequest } from '../../core/delivery/record.ts';
import { AppError } from '../../core/errors.ts';
import { UnreachableError } from '../../core/store/errors.ts';
import type { Session } from '../../core/identity/sessions.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import { canRetry } from '../../core/tickets/operations.ts';
import type { Instance } from './instance.ts';
import type { CustomerStep } from './schedule.ts';

/** One send of a customer. */
export interface Send {
  key: string;
  /** The text of a reply names its ticket. */
  text: string;
  customer: Customer;
  /** Null for a ticket; for a reply the send that opens its ticket. */
  opening: Send | null;
  /** How often it was sent again though the service might have had it: by its customer, or because the store forgot it. */
  risks: number;
  /** Whether the service may have it in a ticket that the ledger has forgotten, since the store was set back. */
  isForgotten: boolean;
  /**
   * Whether later sends do not need to wait for it: its customer had to decide, or the service had refused it before the
   * store was set back.
   */
  mayBeLate: boolean;
}

export interface Customer {
  subjectId: string;
  email: string;
}

export const customers: readonly Customer[] = ['ada', 'ben'].map((subjectId) => ({
  subjectId,
  email: `${subjectId}@example.com`,
}));

const nth = <Item>(list: readonly Item[], place: number): Item | undefined => list[place % list.length];

/** Customers who send at any of these instances. `rows`: the rows of the ledger, in the order of acceptance. */
export function createCustomers({
  instances,
  rows,
  onError,
}: {
  instances: readonly Instance[];
  rows: () => Promise<OperationRow[]>;
  onError: (error: unknown) => void;
}) {
  const sends: Send[] = [];
  let wasSetBack = false;

  /** Follows a request that may take long. An error for the customer and a store without an answer are expected. */
  function follow(request: Promise<unknown>): void {
    request.catch((error: unknown) => {
      if (!(error instanceof AppError || error instanceof UnreachableError)) onError(error);
    });
  }

  const rowOf = async (send: Send) => (await rows()).find(({ key }) => key === send.key);

  async function requestOf({ opening, text, customer }: Send): Promise<SendRequest | null> {
    if (!opening) {
      const payload = { subject: 'Help', description: text, customer_email: customer.email };
      return { kind: 'ticket', payload };
    }
    const row = await rowOf(opening);
    if (!row) return null;
    const to = row.ticket_id === null ? { openedBy: row.id } : { ticketId: row.ticket_id };
    return { kind: 'message', to, payload: { body: text } };
  }

  async function submit(instance: Instance, send: Send): Promise<void> {
    const { subjectId } = send.customer;
    const request = await requestOf(send);
    const session = { id: `session of ${subjectId}`, subjectId } as Session;
    if (request) follow(instance.send(session, send.key, request));
  }

  function add(text: string, customer: Customer, opening: Send | null): Send {
    const send = {
      key: `key ${sends.length}`,
      text,
      customer,
      opening,
      risks: 0,
      isForgotten: false,
      mayBeLate: false,
    };
    sends.push(send);
    return send;
  }

  function forget(some: readonly Send[]): void {
    for (const send of some) {
      send.risks += 1;
      send.isForgotten = true;
    }
  }

  async function sendAgain(instance: Instance, send: Send): Promise<void> {
    const row = await rowOf(send);
    if (!row || !canRetry(row)) return;
    if (row.state === 'unknown') send.risks += 1;
    // Another ticket takes its place, with its replies. The ledger may have forgotten that they were sent to the first.
    const replies = sends.filter(({ opening }) => opening === send);
    if (row.state === 'unknown' && wasSetBack) forget(replies);
    follow(instance.retry(row));
  }

  async function show(instance: Instance, send: Send): Promise<void> {
    const row = await rowOf(send);
    if (row?.ticket_id) follow(instance.show(row.ticket_id));
  }

  return {
    sends,

    async act(step: Exclude<CustomerStep, { do: 'poll' | 'pass' }>): Promise<void> {
      const instance = instances[step.at]!;
      if (step.do === 'ticket') return submit(instance, add(step.text, customers[step.customer]!, null));
      if (step.do === 'reply') {
        const openings = sends.filter(({ opening }) => !opening);
        const opening = nth(openings, step.send);
        if (!opening) return;
        const text = `To ${openings.indexOf(opening)}: ${step.text}`;
        return submit(instance, add(text, opening.customer, opening));
      }
      const send = nth(sends, step.send);
      if (!send) return;
      if (step.do === 'repeat') return submit(instance, send);
      return step.do === 'show' ? show(instance, send) : sendAgain(instance, send);
    },

    /** The store was set back from some rows to others. It knows no others, so their repeats are sent. */
    loseSends(before: readonly OperationRow[], left: readonly OperationRow[]): void {
      wasSetBack = true;
      for (const { key } of before.filter(({ state }) => state === 'rejected'))
        sends.find((send) => send.key === key)!.mayBeLate = true;
      forget(sends.filter(({ key }) => !left.some((row) => row.key === key)));
    },

    /** Every customer presses "Send again" where it is offered. */
    async sendAllAgain(): Promise<void> {
      for (const send of sends) await sendAgain(instances[0]!, send);
    },
  };
}
