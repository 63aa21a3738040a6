import { gateHeader, idempotencyHeader, paths } from '../../../bff/contract/paths.ts';
import type { Session } from '../../../bff/contract/session.ts';
import type {
  Message,
  NewMessage,
  NewTicket,
  Operation,
  Ticket,
  TicketSummary,
} from '../../../bff/contract/tickets.ts';
import { readFailure } from './failure.ts';
import type { ApiFailure, Result } from './result.ts';
import { failure } from './result.ts';
import type { ServerEvent } from './shapes.ts';
import { has } from './shapes.ts';
import { readStream } from './stream.ts';

/** Everything that the app asks of the BFF. No call throws for a network or server failure. */
export interface Api {
  session: () => Promise<Result<Session>>;
  tickets: () => Promise<Result<TicketSummary[]>>;
  ticket: (id: string) => Promise<Result<Ticket>>;
  /** Safe to repeat with the same key. `id` of the answer is null while the ticket waits. */
  createTicket: (key: string, ticket: NewTicket) => Promise<Result<TicketSummary>>;
  /** Safe to repeat with the same key. */
  reply: (ticketId: string, key: string, message: NewMessage) => Promise<Result<Message>>;
  /** Answers what is left unread. */
  markRead: (ticketId: string, messageId: string) => Promise<Result<TicketSummary>>;
  /** The customer's own "send again" of an operation that the server offers it for. */
  retry: (key: string) => Promise<Result<Operation>>;
  /** Reads the event stream until it ends; `onEvent` hears each event. The answer says why it ended. */
  events: (
    thread: string | null,
    onEvent: (event: ServerEvent) => void,
    signal: AbortSignal,
  ) => Promise<ApiFailure>;
}

const timeoutMs = 20_000;

/** The BFF's client; `send` is the browser's fetch. */
export function createClient(send: typeof fetch): Api {
  /** A read, or with a `body` a write. `member` is what tells the expected data from anything else. */
  async function call<T>(path: string, member: string, body?: object, key?: string): Promise<Result<T>> {
    try {
      const response = await send(path, {
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          [gateHeader]: '1',
          'Content-Type': 'application/json',
          ...(key && { [idempotencyHeader]: key }),
        },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      if (!response.ok) return await readFailure(response);
      const { data } = (await response.json()) as { data?: T };
      return has(data, member) ? { ok: true, value: data as T } : failure('invalid_response');
    } catch (error) {
      return failure(error instanceof SyntaxError ? 'invalid_response' : 'network');
    }
  }
  return {
    session: () => call(paths.session, 'customer'),
    tickets: () => call(paths.tickets, 'length'),
    ticket: (id) => call(paths.ticket(id), 'messages'),
    createTicket: (key, body) => call(paths.tickets, 'status', body, key),
    reply: (ticketId, key, body) => call(paths.messages(ticketId), 'body', body, key),
    markRead: (ticketId, message_id) => call(paths.read(ticketId), 'unread', { message_id }),
    retry: (key) => call(paths.retry(key), 'state', {}),
    events: (thread, onEvent, signal) => readStream({ send, thread, onEvent, signal }),
  };
}
