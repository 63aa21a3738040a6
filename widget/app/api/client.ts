import { isTicketId } from '../../../shared/contract/ids.ts';
import {
  anonymousHeader,
  gateHeader,
  idempotencyHeader,
  ownerHeader,
  paths,
  proofHeader,
} from '../../../shared/contract/paths.ts';
import type { Session } from '../../../shared/contract/session.ts';
import type {
  Message,
  NewMessage,
  NewTicket,
  Operation,
  Ticket,
  TicketSummary,
} from '../../../shared/contract/tickets.ts';
import { type ApiFailure, failure, readFailure, type Result } from './result.ts';
import { has, type ServerEvent } from './shapes.ts';
import type { readStream as ReadStream } from './stream.ts';
import type { SessionToken } from './token.ts';

interface Call {
  /** Makes the call a POST, unless `method` is given. */
  body?: object;
  key?: string;
  method?: string;
  owner?: string | null;
  /** It must not be sent with a signed-in customer's session. */
  isAnonymous?: boolean;
  /** Without a session it begins one. */
  begins?: boolean;
  /** Sends the request in place of the browser's fetch. */
  send?: typeof fetch;
}

/**
 * Makes a request. `member`: a name that the expected data has; other data is an `invalid_response`. Null: an answer has
 * no data.
 */
type Ask = <T>(path: string, member: string | null, more?: Call) => Promise<Result<T>>;

/** Requests by their path. */
export interface Calls {
  call: Ask;
  /** Names the owner whose data this tab expects. */
  ofOwner: Ask;
}

/** Every request to the BFF. Failures of network and server are results; calls do not throw for them. */
export interface Api extends Calls {
  session: () => Promise<Result<Session>>;
  /** Exchanges the token that the site's server signed. */
  identify: (token: string) => Promise<Result<Session>>;
  claim: () => Promise<Result<Session>>;
  /** Adds the tickets from before the sign-in to the customer's, or declines them. */
  transfer: (isWanted: boolean) => Promise<Result<Session>>;
  /** Ends the notice that tickets of this visitor were claimed. */
  dismissMoved: () => Promise<Result<Session>>;
  signOut: () => Promise<Result<unknown>>;
  tickets: () => Promise<Result<TicketSummary[]>>;
  /** The ticket with its newest messages, or those right before the message `before` (id or key). */
  ticket: (id: string, before?: string | null) => Promise<Result<Ticket>>;
  /**
   * Safe to repeat with the same key. `owner`: the signed-in customer who wrote it; it is accepted only under their
   * session. Null: only under an anonymous one. The answer's `id` is null until the service has the ticket.
   */
  createTicket: (key: string, ticket: NewTicket, owner: string | null) => Promise<Result<TicketSummary>>;
  /** Safe to repeat with the same key. */
  reply: (
    ticketId: string,
    key: string,
    message: NewMessage,
    owner: string | null,
  ) => Promise<Result<Message>>;
  /** The answer has the number of messages that are still unread. */
  markRead: (ticketId: string, messageId: string) => Promise<Result<TicketSummary>>;
  /** The customer's "Send again" of an operation whose `can_retry` is true. */
  retry: (key: string) => Promise<Result<Operation>>;
  /** Reads the event stream until it ends; resolves to the reason. `onEvent` gets each event. */
  events: (
    onScreen: OnScreen,
    onEvent: (event: ServerEvent) => void,
    signal: AbortSignal,
  ) => Promise<ApiFailure>;
  /** Whether this tab has a session of its own, in a browser that keeps no cookie. */
  isAlone: () => boolean;
  /** Makes all pending calls fail: their answers belong to a customer who is gone. */
  abandon: () => void;
  /** Drops the session token of a browser that keeps no cookie. */
  dropToken: () => void;
}

/** The conversation that a stream follows, and the id or key of the message up to which it is known. */
interface OnScreen {
  thread: string | null;
  after: string | null;
}

export interface ClientOptions {
  /** The browser's fetch. */
  send: typeof fetch;
  token: SessionToken;
  /** The signed-in customer as far as this tab knows; null for nobody. */
  owner: () => string | null;
  readStream: typeof ReadStream;
  /** Solves a proof of work; null where that fails. */
  solve: (challenge: unknown) => Promise<string | null>;
  /** Renews an ended session; true when it was renewed for the same customer. */
  renew: () => Promise<boolean>;
}

/** And a millisecond for each character that is sent: over a slow network a long text takes longer. */
const timeoutMs = 20_000;

/** The BFF does not know the session of the request. */
const isEnded = (result: Result<unknown>) => !result.ok && result.error.code === 'unauthenticated';

const withQuery = (path: string, values: Record<string, string>) =>
  `${path}?${new URLSearchParams(values).toString()}`;

const forOwner = (owner: string | null): Record<string, string> => (owner ? { [ownerHeader]: owner } : {});

export function createClient(options: ClientOptions): Api {
  const { token, owner: ownerNow, readStream, solve, renew } = options;
  let generation = 0;

  async function call<T>(
    path: string,
    member: string | null,
    {
      body,
      key,
      method = body ? 'POST' : 'GET',
      owner = null,
      isAnonymous = false,
      begins,
      send = options.send,
    }: Call = {},
  ): Promise<Result<T>> {
    const born = generation;
    const sent = body && JSON.stringify(body);
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
          // Customers often leave the page right after they sign out.
          keepalive: method === 'DELETE',
          signal: AbortSignal.timeout(timeoutMs + (sent?.length ?? 0)),
          headers: {
            [gateHeader]: '1',
            'Content-Type': 'application/json',
            ...credentials,
            ...forOwner(owner),
            ...(isAnonymous && { [anonymousHeader]: '1' }),
            ...(key && { [idempotencyHeader]: key }),
            ...(proof && { [proofHeader]: proof }),
          },
          ...(sent && { body: sent }),
        });
        if (!response.ok) return await readFailure(response);
        const { data, session_token } = (await response.json()) as { data?: T; session_token?: string };
        if (born === generation) token.keep(session_token);
        return member === null || has(data, member)
          ? { ok: true, value: data as T }
          : failure('invalid_response');
      } catch (error) {
        return failure(error instanceof SyntaxError ? 'invalid_response' : 'network');
      }
    }

    let result = await attempt();
    // For `identity`, 401 means a refused token, not an ended session.
    if (isEnded(result) && path !== paths.identity) {
      // SECURITY: a new session is only for what is written anonymously; a signed-in customer's waits for their session.
      const mayBegin = begins && isAnonymous;
      token.drop(credentials);
      const isRenewed = await renew();
      // A write is tried again in any case: another tab may have signed in meanwhile and set a valid cookie.
      if (isRenewed || body) result = await attempt();
      if (isEnded(result) && !isRenewed && mayBegin) {
        const cleared = await call(paths.session, null, { method: 'DELETE', isAnonymous });
        result = cleared.ok ? await attempt() : cleared;
      }
    }
    if (!result.ok && result.error.code === 'proof_required') {
      const proof = await solve(result.error.challenge);
      if (proof) result = await attempt(proof);
    }
    return result;
  }

  const remove = <T>(path: string, member: string | null = null) =>
    call<T>(path, member, { method: 'DELETE' });
  /** SECURITY: tabs share the cookie, so the request names the owner whose data this tab expects. */
  const ofOwner: Ask = (path, member, more) => call(path, member, { ...more, owner: ownerNow() });

  return {
    call,
    ofOwner,
    session: () => call(paths.session, 'customer'),
    identify: (jwt) => call(paths.identity, 'customer', { body: { token: jwt } }),
    claim: () => ofOwner(paths.claim, 'customer', { body: {} }),
    transfer: (isWanted) =>
      ofOwner(paths.transfer, 'customer', isWanted ? { body: {} } : { method: 'DELETE' }),
    dismissMoved: () => remove(paths.moved, 'customer'),
    signOut: () => remove(paths.session),
    // A text has a length, too.
    tickets: () => ofOwner(paths.tickets, 'flatMap'),
    // The id may come from the host page.
    ticket: async (id, before) =>
      isTicketId(id)
        ? ofOwner(withQuery(paths.ticket(id), { before: before ?? '' }), 'messages')
        : failure('http', { code: 'not_found', retryable: false }),
    createTicket: (key, body, owner) =>
      call(paths.tickets, 'ticket_number', { body, key, owner, isAnonymous: owner === null, begins: true }),
    reply: (ticketId, key, body, owner) =>
      call(paths.messages(ticketId), 'author_type', { body, key, owner, isAnonymous: owner === null }),
    markRead: (ticketId, message_id) => ofOwner(paths.read(ticketId), 'unread', { body: { message_id } }),
    retry: (key) => ofOwner(paths.retry(key), 'can_retry', { body: {} }),
    async events({ thread, after }, onEvent, signal) {
      const credentials = { ...token.headers(false), ...forOwner(ownerNow()) };
      const isKnown = thread !== null && isTicketId(thread);
      const path = isKnown ? withQuery(paths.events, { thread, after: after ?? '' }) : paths.events;
      const why = await readStream({ send: options.send, credentials, path, onEvent, signal });
      if (why.code === 'unauthenticated') token.drop(credentials);
      return why;
    },
    isAlone: token.hasToken,
    abandon() {
      generation += 1;
    },
    dropToken: () => token.drop(token.headers(false)),
  };
}
