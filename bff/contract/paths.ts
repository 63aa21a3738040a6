/** Ids of tickets are those that `isTicketId` takes: no encoding makes one segment of the others. */
const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** The BFF's public routes, beside those of `account-paths.ts`. */
export const paths = {
  session: '/api/session',
  identity: '/api/session/identity',
  claim: '/api/session/claim',
  transfer: '/api/session/transfer',
  moved: '/api/session/moved',
  tickets: '/api/tickets',
  /** With `?before=` its newest messages, with `?before={message}` those right before that one. */
  ticket: (id: string) => at('/api/tickets', id),
  messages: (id: string) => `${at('/api/tickets', id)}/messages`,
  read: (id: string) => `${at('/api/tickets', id)}/read`,
  operations: '/api/operations',
  operation: (key: string) => at('/api/operations', key),
  retry: (key: string) => `${at('/api/operations', key)}/retry`,
  events: '/api/events',
  /** With the secret behind it: for the ticket service, not for browsers. */
  hooks: '/hooks/tickets',
  /** Scripts that are fetched later, each under a name that changes with its content. */
  assets: '/assets',
} as const;

/** With a token behind it, in mails about tickets: for people and mail programs. */
export const unsubscribePath = '/unsubscribe';

/** The app without its views, for a hidden frame. */
export const headlessPath = '/headless';

/** The worker that solves a proof of work; fetched only when one is asked for. */
export const proofWorkerPath = '/proof-worker.js';

/** Whether a build makes such names in `paths.assets`: `deferred-XXXXXXXX.js`. */
export const isAssetName = (name: string) => /^\w[\w.-]{0,60}-[\w-]{8}\.js$/.test(name);

/** On every answer of the API: the version of the BFF that gave it. */
export const versionHeader = 'X-Deskside-Version';

/** Every API call carries this header with the value `1`: a cross-site form or image cannot. */
export const gateHeader = 'X-Deskside';
export const idempotencyHeader = 'Idempotency-Key';

/**
 * The `owner` of the customer whom the request is made for. Where another's session has come into the browser meanwhile
 * it is refused as `unauthenticated`, and neither makes nor ends one. Without it the request is for whoever's session it is.
 */
export const ownerHeader = 'X-Deskside-Owner';
/**
 * With the value `1`, in place of an owner: the request is made for a visitor who has not signed in, and is refused under
 * a customer's session in the same way. A header of its own: a BFF of a build that does not know it takes the request.
 */
export const anonymousHeader = 'X-Deskside-Anonymous';

/** The solved challenge of an answer `proof_required`, on the same request made again. */
export const proofHeader = 'X-Deskside-Proof';

/**
 * With the value `bearer`: this browser keeps no cookie. An answer that would set one carries `session_token` beside
 * `data` instead, for `Authorization: Bearer`.
 */
export const sessionHeader = 'X-Deskside-Session';
