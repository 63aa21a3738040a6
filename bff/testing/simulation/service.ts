import type { Clock } from '../../core/clock.ts';
import { listLimit, type V1Client, type V1NewTicket } from '../../core/v1/client.ts';
import type { V1Failure, V1Result } from '../../core/v1/failure.ts';
import { createServiceClock } from '../../core/v1/service-clock.ts';
import type { V1Message, V1Thread, V1Ticket } from '../../core/v1/schema.ts';
import { type SimulatedTime, startMs } from './time.ts';

/** How the service handles one write. */
export type WriteFault =
  /** The write is executed, and the answer is lost. */
  | { how: 'lost' }
  /** The write is not executed, and no answer comes. */
  | { how: 'never' }
  /** No answer comes in time, and the write is executed this much later. */
  | { how: 'late'; ms: number }
  /** The write is executed and answered this much later, but in time. */
  | { how: 'slow'; ms: number }
  | { how: 'refused'; status: 404 | 409 | 413 | 422 }
  | { how: 'not connected' }
  | { how: 'limited'; ms: number };

/** How the service handles one read. */
export type ReadFault =
  | { how: 'failed' }
  /** The answer shows the state of this long ago. */
  | { how: 'lagging'; ms: number }
  /** The answer shows the current state and comes this much later, but in time. */
  | { how: 'slow'; ms: number }
  /** A part of the answer cannot be read. */
  | { how: 'partial' }
  /** It is refused with a `Retry-After`. */
  | { how: 'limited'; ms: number };

export interface StoredMessage {
  id: string;
  author: 'customer' | 'agent';
  body: string;
  at: number;
}

export interface StoredTicket {
  id: string;
  email: string;
  subject: string;
  description: string;
  at: number;
  messages: StoredMessage[];
  /** Whether it was sent from elsewhere. */
  isForeign: boolean;
  status: string;
  /** When the list says that it has changed. */
  updatedAt: number;
}

/** A call without an answer in this time fails. */
export const timeoutMs = 2_000;

const uncertain = { kind: 'uncertain', reason: 'simulated' } as const;
const isoTime = (at: number) => new Date(startMs + at).toISOString();

/** A ticket service in memory. Each fault that `faultWrite` or `faultRead` adds applies to one call, in order. */
export function createServiceModel(time: SimulatedTime) {
  const tickets: StoredTicket[] = [];
  const writeFaults: WriteFault[] = [];
  const readFaults: ReadFault[] = [];
  let awayUntil = 0;
  let lastId = 0;
  const newId = (prefix: string) => `${prefix}${(lastId += 1)}`;

  function store(ticket: V1NewTicket, isForeign = false): StoredTicket {
    const stored = {
      id: newId('t'),
      email: ticket.customer_email,
      subject: ticket.subject,
      description: ticket.description,
      at: time.now(),
      messages: [],
      isForeign,
      status: 'new',
      updatedAt: time.now(),
    };
    tickets.push(stored);
    return stored;
  }

  function storeMessage(
    ticketId: string,
    body: string,
    author: StoredMessage['author'] = 'customer',
  ): StoredMessage {
    const message = { id: newId('m'), author, body, at: time.now() };
    tickets.find(({ id }) => id === ticketId)!.messages.push(message);
    return message;
  }

  const toTicket = ({ id, subject, description, at, status, updatedAt }: StoredTicket): V1Ticket => ({
    id,
    ticket_number: null,
    subject,
    description,
    status,
    priority: null,
    created_at: isoTime(at),
    updated_at: isoTime(updatedAt),
  });
  const toMessage = ({ id, author, body, at }: StoredMessage): V1Message => ({
    id,
    author_type: author,
    body,
    created_at: isoTime(at),
  });

  async function write<Result>(execute: () => Result): Promise<Result | V1Failure> {
    if (time.now() < awayUntil) return { kind: 'not_connected' };
    const fault = writeFaults.shift();
    switch (fault?.how) {
      case 'lost':
        execute();
        return uncertain;
      case 'never':
        return uncertain;
      case 'late':
        void time.sleep(fault.ms).then(execute);
        await time.sleep(timeoutMs);
        return uncertain;
      case 'slow': {
        const result = execute();
        await time.sleep(fault.ms);
        return result;
      }
      case 'refused':
        return { kind: 'refused', status: fault.status };
      case 'not connected':
        return { kind: 'not_connected' };
      case 'limited':
        return { kind: 'rate_limited', retryAfterMs: fault.ms };
      default:
        return execute();
    }
  }

  async function read<Result>(
    look: (until: number, isWhole: boolean) => Result | V1Failure,
  ): Promise<Result | V1Failure> {
    if (time.now() < awayUntil) return { kind: 'not_connected' };
    const fault = readFaults.shift();
    if (fault?.how === 'failed') return uncertain;
    if (fault?.how === 'limited') return { kind: 'rate_limited', retryAfterMs: fault.ms };
    const lagMs = fault?.how === 'lagging' ? fault.ms : 0;
    const result = look(time.now() - lagMs, fault?.how !== 'partial');
    if (fault?.how === 'slow') await time.sleep(fault.ms);
    return result;
  }

  return {
    tickets: tickets as readonly StoredTicket[],
    faultWrite: (fault: WriteFault) => void writeFaults.push(fault),
    faultRead: (fault: ReadFault) => void readFaults.push(fault),
    /** Refuses connections for this long. */
    leave: (ms: number) => void (awayUntil = Math.max(awayUntil, time.now() + ms)),
    /** Adds enough external tickets that the list shows no others. */
    fill(): void {
      for (let nth = 0; nth < listLimit; nth += 1)
        store({ subject: 'Other', description: 'Other', customer_email: 'other@example.com' }, true);
    },
    /** An agent answers. `isListed`: the list shows it. */
    answer(ticketId: string, body: string, isListed = true): StoredMessage {
      if (isListed) tickets.find(({ id }) => id === ticketId)!.updatedAt = time.now();
      return storeMessage(ticketId, body, 'agent');
    },
    setStatus: (ticketId: string, status: string) =>
      void (tickets.find(({ id }) => id === ticketId)!.status = status),
    /** Ends all faults. */
    heal(): void {
      awayUntil = 0;
      writeFaults.length = 0;
      readFaults.length = 0;
    },

    /** The client of one instance, with its knowledge of the service's clock. */
    clientOf(clock: Clock): V1Client {
      const serviceClock = createServiceClock(clock);
      let heldUntil = 0;
      function answered<Data extends object>(outcome: Data | V1Failure): V1Result<Data> {
        const isFailure = 'kind' in outcome;
        if (isFailure && outcome.kind === 'rate_limited')
          heldUntil = Math.max(heldUntil, clock.elapsed() + outcome.retryAfterMs);
        const hasDate = !isFailure || outcome.kind === 'refused' || outcome.kind === 'rate_limited';
        const serverTime = hasDate
          ? serviceClock.observe(new Date(startMs + time.now()).toUTCString())
          : serviceClock.now();
        return isFailure
          ? { ok: false, failure: outcome, serverTime }
          : { ok: true, data: outcome, serverTime };
      }
      const list: V1Client['listTickets'] = async (limit = listLimit) =>
        answered(
          await read((until, isWhole) => ({
            entries: tickets
              .filter(({ at }) => at <= until)
              .toReversed()
              .slice(0, limit)
              .map(toTicket),
            isWhole,
            limit,
          })),
        );
      return {
        listTickets: list,
        probe: () => list(1),
        getTicket: async (id) =>
          answered(
            await read<V1Thread>((until, isWhole) => {
              const ticket = tickets.find((each) => each.id === id && each.at <= until);
              if (!ticket) return { kind: 'refused', status: 404 };
              const messages = ticket.messages.filter(({ at }) => at <= until).map(toMessage);
              return { ...toTicket(ticket), customer: { email: ticket.email }, messages, isWhole };
            }),
          ),
        createTicket: async (ticket) => answered(await write(() => toTicket(store(ticket)))),
        addMessage: async (ticketId, body) =>
          answered(await write(() => toMessage(storeMessage(ticketId, body)))),
        isAuthorized: () => true,
        serviceNow: serviceClock.now,
        readsHeldMs: () => Math.max(0, heldUntil - clock.elapsed()),
        abort: async () => {},
      };
    },
  };
}

export type ServiceModel = ReturnType<typeof createServiceModel>;
