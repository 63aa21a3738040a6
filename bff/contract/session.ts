export interface Customer {
  email: string;
  name: string | null;
  /** The address was proven, by the site's token or by a code. */
  verified: boolean;
  /** A name without meaning that stays the same for a customer who signed in; null for one who did not. */
  owner: string | null;
}

/** Who the customer is, and what this BFF offers them: `GET /api/session`, and the SSE event `session`. */
export interface Session {
  /** Null without a session. */
  customer: Customer | null;
  unread: number;
  /** The operator's name for the support desk; null when none is configured. */
  brand: string | null;
  /** Tickets that somebody opened under this proven address without proving it: the customer may claim them. */
  claimable: number;
  /**
   * Tickets that this browser opened before its customer signed in, under another address than the proven one.
   * `POST /api/session/transfer` with `{}` makes them the customer's, `DELETE` gives that up for good; both answer the
   * `Session`, unchanged where nothing is on offer.
   */
  transferable: number;
  /**
   * Tickets of this visitor were claimed by the owner of the address that they were opened under. True until the visitor
   * has read that, which `DELETE /api/session/moved` reports (it answers the `Session`), or signs in.
   */
  moved: boolean;
  /** Whether codes by e-mail are offered. */
  email_code: boolean;
}

/** Body of `POST /api/session/identity`; answers the `Session`. */
export interface IdentityProof {
  /** The JWT that the site's server signed. */
  token: string;
}

/** Body of `POST /api/session/code`; the answer is `{ "sent": true }` whatever the address. */
export interface CodeRequest {
  email: string;
  /** Tag of the language to write in; English for one that the widget does not have. */
  language?: string | undefined;
}

/** Body of `POST /api/session/code/verify`; answers the `Session`. A wrong code is an error of the field `code`. */
export interface CodeAnswer {
  /** Six digits. */
  code: string;
}

/**
 * `POST`, `GET` and `DELETE /api/session/handoff`: the offer that this session makes to one other device; `GET` is
 * `not_found` without one, and after it was taken or has expired.
 */
export interface Handoff {
  /** `asked`: a device has opened the link and waits for `POST /api/session/handoff/confirm`. */
  state: 'offered' | 'asked';
  /** Two digits that the waiting device shows too; null until one asks. */
  number: string | null;
  /** ISO 8601 UTC. */
  expires_at: string;
  /** The link, with the secret in its fragment; only in the answer that made it. */
  url?: string;
  /** The link as a QR code: rows of `0` and `1`, one character a module; only in the answer that made it. */
  qr?: string[];
}

/** Body of `POST /api/session/handoff/confirm`. */
export interface HandoffConfirmation {
  /** As it was shown to the customer who confirmed: another device's is refused. */
  number: string;
}

/** Body of `POST /api/session/handoff/redeem`, repeated until `done`. */
export interface HandoffAnswer {
  /** From the link's fragment. */
  secret: string;
  /** A UUID that this device made: nobody else can go on with what it began. */
  device: string;
}

/** `done`: this device now holds a session of the other's customer. */
export type HandoffProgress = { state: 'asked'; number: string } | { state: 'done'; session: Session };
