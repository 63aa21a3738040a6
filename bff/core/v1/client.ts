import type { Counter, Histogram } from 'prom-client';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Priority } from '../../../shared/contract/tickets.ts';
import type { Clock } from '../clock.ts';
import { noTracer, type Tracer } from '../tracer.ts';
import { isTooLarge, type V1Failure, type V1Result } from './failure.ts';
import type { KeyRing } from './keys.ts';
import {
  type V1Message,
  type V1Thread,
  type V1Ticket,
  type V1TicketList,
  v1Message,
  v1Thread,
  v1Ticket,
  v1TicketList,
} from './schema.ts';
import { createReadHold, type Call, createRequests } from './requests.ts';
import { createServiceClock } from './service-clock.ts';

export interface V1NewTicket {
  subject: string;
  description: string;
  customer_email: string;
  customer_name?: string;
  priority?: Priority;
}

/** The calls of the ticket service. None throws for errors of the service or the network. */
export interface V1Client {
  /** The newest tickets of the workspace: 50 at most, or fewer when their texts make the answer too large. */
  listTickets(limit?: number): Promise<V1Result<V1TicketList>>;
  getTicket(id: string): Promise<V1Result<V1Thread>>;
  createTicket(ticket: V1NewTicket): Promise<V1Result<V1Ticket>>;
  addMessage(ticketId: string, body: string): Promise<V1Result<V1Message>>;
  /** The smallest read that tests everything: address, path, key and a readable answer. */
  probe(): Promise<V1Result<V1TicketList>>;
  /** False while the service refuses every key; null before its first answer. */
  isAuthorized(): boolean | null;
  /**
   * The service's clock in Unix milliseconds, from `service-clock.ts`. Null until it is known. Changes of our own
   * clock do not affect it.
   */
  serviceNow(): number | null;
  /**
   * For how many milliseconds the service asks for no more reads (`requests.ts`). Callers must check it: reads are
   * still sent.
   */
  readsHeldMs(): number;
  /** Aborts all requests in flight. An aborted write may have been executed. */
  abort(): Promise<void>;
}

/** Built once, because zod compiles each schema that it is given. */
const dataOf = <T>(schema: z.ZodType<T>) => z.object({ data: schema }).transform(({ data }) => data);
const answers = {
  tickets: dataOf(v1TicketList),
  thread: dataOf(v1Thread),
  ticket: dataOf(v1Ticket),
  message: dataOf(v1Message),
};

/** The longest list that the service gives. */
export const listLimit = 50;
/** Two keys that were valid when a call began, and two that have replaced them. */
const mostKeys = 4;

/**
 * Client of a v1 service at `url`.
 * @param dispatcher replaces the network in tests
 */
export function createV1Client(options: {
  url: string;
  keys: KeyRing;
  timeoutMs: number;
  /** Called for every failed call, without bodies, keys and addresses. */
  onFailure?: (call: { method: 'GET' | 'POST'; failure: V1Failure }) => void;
  dispatcher?: Dispatcher;
  metrics?: {
    serviceRequests: Pick<Counter<'call' | 'outcome'>, 'inc'>;
    serviceDurations: Pick<Histogram<'call'>, 'startTimer'>;
  };
  tracer?: Tracer;
  now: Clock['now'];
  elapsed: Clock['elapsed'];
}): V1Client {
  const { keys, timeoutMs, tracer = noTracer, now, elapsed } = options;
  const serviceClock = createServiceClock({ now, elapsed });
  const readHold = createReadHold(elapsed);
  const { request, abort } = createRequests({
    url: options.url,
    timeoutMs,
    dispatcher: options.dispatcher,
    tracer,
    now,
    serviceClock,
    readHold,
  });

  function measured<T>(call: Call<T>, key: string): Promise<V1Result<T>> {
    const { name, method } = call;
    const attributes = { 'deskside.call': name, 'http.request.method': method };
    return tracer.span({ name: `service ${name}`, kind: 'client', attributes }, async (span) => {
      const measure = options.metrics?.serviceDurations.startTimer({ call: name });
      const result = await request(call, key);
      measure?.();
      const outcome = result.ok ? 'ok' : result.failure.kind;
      options.metrics?.serviceRequests.inc({ call: name, outcome });
      const failure = result.ok ? undefined : outcome;
      span.describe({ attributes: { 'deskside.outcome': outcome }, failure });
      return result;
    });
  }

  let isAuthorized: boolean | null = null;

  /**
   * After a 401 nothing was executed, so another key may be tried at once, also for a write. The keys are read again
   * after each attempt, because they may have been replaced meanwhile.
   */
  async function send<T>(call: Call<T>): Promise<V1Result<T>> {
    let result: V1Result<T> = { ok: false, failure: { kind: 'unauthorized' }, serverTime: null };
    const tried = new Set<string>();
    const nextKey = () => keys.current().find((key) => !tried.has(key));
    for (let key = nextKey(); key !== undefined && tried.size < mostKeys; key = nextKey()) {
      tried.add(key);
      result = await measured(call, key);
      if (result.ok || result.failure.kind !== 'unauthorized') {
        keys.prefer(key);
        break;
      }
    }
    if (result.ok || result.failure.kind === 'refused') isAuthorized = true;
    else if (result.failure.kind === 'unauthorized') isAuthorized = false;
    if (!result.ok) options.onFailure?.({ method: call.method, failure: result.failure });
    return result;
  }

  const ticketPath = (id: string) => `/api/v1/tickets/${encodeURIComponent(id)}`;

  async function listTickets(name: 'list' | 'probe', limit: number): Promise<V1Result<V1TicketList>> {
    const path = `/api/v1/tickets?limit=${limit}`;
    const result = await send({ name, method: 'GET', path, expect: 200, schema: answers.tickets });
    if (result.ok) return { ...result, data: { ...result.data, limit } };
    // A few long texts must not hide every ticket.
    return isTooLarge(result.failure) && limit > 1 ? listTickets(name, Math.floor(limit / 2)) : result;
  }

  return {
    listTickets: (limit = listLimit) => listTickets('list', limit),
    probe: () => listTickets('probe', 1),
    getTicket: (id) =>
      send({
        name: 'read',
        method: 'GET',
        path: ticketPath(id),
        expect: 200,
        schema: answers.thread,
        isAbout: (thread) => thread.id === id,
      }),
    createTicket: (body) =>
      send({
        name: 'create',
        method: 'POST',
        path: '/api/v1/tickets',
        body,
        expect: 201,
        schema: answers.ticket,
      }),
    addMessage: (ticketId, text) =>
      send({
        name: 'reply',
        method: 'POST',
        path: `${ticketPath(ticketId)}/messages`,
        body: { body: text },
        expect: 201,
        schema: answers.message,
      }),
    isAuthorized: () => isAuthorized,
    serviceNow: serviceClock.now,
    readsHeldMs: readHold.leftMs,
    abort,
  };
}
