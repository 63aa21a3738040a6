import { gateHeader, idempotencyHeader, paths, proofHeader } from '../../../bff/contract/paths.ts';
import type {
  CodeRequest,
  Handoff,
  HandoffAnswer,
  HandoffProgress,
  Session,
} from '../../../bff/contract/session.ts';
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
import type { readStream as ReadStream } from './stream.ts';
import type { SessionToken } from './token.ts';

/** Everything that the app asks of the BFF. No call throws for a network or server failure. */
export interface Api {
  session: () => Promise<Result<Session>>;
  /** Exchanges the token that the site's server signed. */
  identify: (token: string) => Promise<Result<Session>>;
  /** Asks for a code by e-mail; answers the same whether or not the address is known. */
  requestCode: (request: CodeRequest) => Promise<Result<unknown>>;
  verifyCode: (code: string) => Promise<Result<Session>>;
  claim: () => Promise<Result<Session>>;
  /** Adds the tickets from before the sign-in to the customer's, or gives them up. */
  transfer: (isWanted: boolean) => Promise<Result<Session>>;
  signOut: () => Promise<Result<unknown>>;
  /** Offers this customer's tickets to one other device. */
  offer: () => Promise<Result<Handoff>>;
  offered: () => Promise<Result<Handoff>>;
  withdraw: () => Promise<Result<unknown>>;
  /** `number`: what the customer has compared. */
  confirm: (number: string) => Promise<Result<unknown>>;
  redeem: (answer: HandoffAnswer) => Promise<Result<HandoffProgress>>;
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
  /** Whether the session is this tab's alone: its browser keeps no cookie. */
  isAlone: () => boolean;
  /** What calls on their way are answered comes to nothing: it belongs to a customer who is gone. */
  abandon: () => void;
  /** Gives up the session of a browser that keeps no cookie. */
  dropToken: () => void;
}

interface ClientOptions {
  /** The browser's fetch. */
  send: typeof fetch;
  token: SessionToken;
  readStream: typeof ReadStream;
  /** Solves a proof of work; null where that fails. */
  solve: (challenge: unknown) => Promise<string | null>;
  /** Gets a session that has ended back; true when that has worked, for the same customer. */
  renew: () => Promise<boolean>;
}

const timeoutMs = 20_000;
/** The `member` of an answer that says nothing beyond its status. */
const nothing = '';

/** The session that the request showed is no more. */
const isEnded = (result: Result<unknown>) => !result.ok && result.error.code === 'unauthenticated';

export function createClient({ send, token, readStream, solve, renew }: ClientOptions): Api {
  let generation = 0;

  /** A read, or with a `body` a write. `member` is what tells the expected data from anything else. */
  async function call<T>(
    path: string,
    member: string,
    body?: object,
    key?: string,
    method = body ? 'POST' : 'GET',
  ): Promise<Result<T>> {
    const born = generation;
    let credentials = {};

    async function attempt(proof?: string): Promise<Result<T>> {
      const result = born === generation && (await request(proof));
      return result && born === generation ? result : failure('network');
    }

    async function request(proof?: string): Promise<Result<T>> {
      try {
        credentials = token.headers(Boolean(body));
        const response = await send(path, {
          method,
          // A page is often left right after its customer has signed out.
          keepalive: method === 'DELETE',
          signal: AbortSignal.timeout(timeoutMs),
          headers: {
            [gateHeader]: '1',
            'Content-Type': 'application/json',
            ...credentials,
            ...(key && { [idempotencyHeader]: key }),
            ...(proof && { [proofHeader]: proof }),
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        if (!response.ok) return await readFailure(response);
        const { data, session_token } = (await response.json()) as { data?: T; session_token?: string };
        if (born === generation) token.keep(session_token);
        return member === nothing || has(data, member)
          ? { ok: true, value: data as T }
          : failure('invalid_response');
      } catch (error) {
        return failure(error instanceof SyntaxError ? 'invalid_response' : 'network');
      }
    }

    let result = await attempt();
    // A refused identity token says nothing about the session that there is.
    if (isEnded(result) && path !== paths.identity) {
      const mayBegin = path === paths.tickets && body;
      token.drop(credentials);
      const isRenewed = await renew();
      // A write in any case: another tab may have signed in meanwhile, and the cookie is a good one by now.
      if (isRenewed || body) result = await attempt();
      if (isEnded(result) && !isRenewed && mayBegin) {
        const cleared = await remove(paths.session);
        result = cleared.ok ? await attempt() : cleared;
      }
    }
    if (!result.ok && result.error.code === 'proof_required') {
      const proof = await solve(result.error.challenge);
      if (proof) result = await attempt(proof);
    }
    return result;
  }

  const remove = <T>(path: string, member = nothing) => call<T>(path, member, undefined, undefined, 'DELETE');

  return {
    session: () => call(paths.session, 'customer'),
    identify: (jwt) => call(paths.identity, 'customer', { token: jwt }),
    requestCode: (request) => call(paths.code, nothing, request),
    verifyCode: (code) => call(paths.codeVerify, 'customer', { code }),
    claim: () => call(paths.claim, 'customer', {}),
    transfer: (isWanted) =>
      isWanted ? call(paths.transfer, 'customer', {}) : remove(paths.transfer, 'customer'),
    signOut: () => remove(paths.session),
    offer: () => call(paths.handoff, 'qr', {}),
    offered: () => call(paths.handoff, 'state'),
    withdraw: () => remove(paths.handoff),
    confirm: (number) => call(paths.handoffConfirm, nothing, { number }),
    redeem: (answer) => call(paths.handoffRedeem, 'state', answer),
    tickets: () => call(paths.tickets, 'length'),
    ticket: (id) => call(paths.ticket(id), 'messages'),
    createTicket: (key, body) => call(paths.tickets, 'status', body, key),
    reply: (ticketId, key, body) => call(paths.messages(ticketId), 'body', body, key),
    markRead: (ticketId, message_id) => call(paths.read(ticketId), 'unread', { message_id }),
    retry: (key) => call(paths.retry(key), 'state', {}),
    async events(thread, onEvent, signal) {
      const credentials = token.headers(false);
      const why = await readStream({ send, credentials, thread, onEvent, signal });
      if (why.code === 'unauthenticated') token.drop(credentials);
      return why;
    },
    isAlone: token.isHeld,
    abandon() {
      generation += 1;
    },
    dropToken: () => token.drop(token.headers(false)),
  };
}
