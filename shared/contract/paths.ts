/** Ticket ids match `isTicketId`: others could not be encoded as one segment. */
const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** The BFF's public routes, beside those of `account-paths.ts`. */
export const paths = {
  session: '/api/session',
  identity: '/api/session/identity',
  claim: '/api/session/claim',
  transfer: '/api/session/transfer',
  moved: '/api/session/moved',
  tickets: '/api/tickets',
  /** With `?before=` the newest messages, with `?before={message}` those just before that message. */
  ticket: (id: string) => at('/api/tickets', id),
  messages: (id: string) => `${at('/api/tickets', id)}/messages`,
  read: (id: string) => `${at('/api/tickets', id)}/read`,
  operations: '/api/operations',
  operation: (key: string) => at('/api/operations', key),
  retry: (key: string) => `${at('/api/operations', key)}/retry`,
  events: '/api/events',
  /** Followed by the secret; for the ticket service, not for browsers. */
  hooks: '/hooks/tickets',
  /** Scripts that are loaded on demand. Each name changes with its content. */
  assets: '/assets',
} as const;

/** Followed by the secret; for mail providers and mail servers. */
export const mailHookPath = '/hooks/mail';

/** Followed by a token, in mails about tickets; for people and mail programs. */
export const unsubscribePath = '/unsubscribe';

/** The app without its views, for a hidden frame. */
export const headlessPath = '/headless';

/** A module for pages, whose policies admit scripts of the BFF and may admit no other requests. Followed by `?` and a minute. */
export const hoursPath = '/hours.js';

/** The worker that solves a proof of work, loaded only when one is required. */
export const proofWorkerPath = '/proof-worker.js';

/** Whether a name can be one in `paths.assets`, such as `deferred-XXXXXXXX.js`. */
export const isAssetName = (name: string) => /^\w[\w.-]{0,60}-[\w-]{8}\.js$/.test(name);

/** On every answer of the API: the version of the BFF that gave it. */
export const versionHeader = 'X-Deskside-Version';

/** Every API call has this header with the value `1`. A cross-site form or image cannot send it. */
export const gateHeader = 'X-Deskside';
export const idempotencyHeader = 'Idempotency-Key';

/**
 * The `owner` of the customer that a request is made for. If the browser now has the session of another customer, the
 * request is refused as `unauthenticated`, and neither creates nor ends a session. Without this header the request is
 * for any session that the browser has.
 */
export const ownerHeader = 'X-Deskside-Owner';
/**
 * With the value `1`, instead of an owner: the request is made for a visitor who has not signed in, and is refused
 * under a customer's session in the same way. It is a header of its own, because a BFF of an older build ignores it
 * and accepts the request.
 */
export const anonymousHeader = 'X-Deskside-Anonymous';

/** The solved challenge of a `proof_required` answer, sent with the repeated request. */
export const proofHeader = 'X-Deskside-Proof';

/**
 * With the value `bearer`: this browser does not store cookies. An answer that would set a cookie has `session_token`
 * beside `data` instead, for `Authorization: Bearer`.
 */
export const sessionHeader = 'X-Deskside-Session';
