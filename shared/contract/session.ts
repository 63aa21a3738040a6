export interface Customer {
  email: string;
  name: string | null;
  /** The address was proven, by the site's token or by a code. */
  verified: boolean;
  /** An opaque name that stays the same for a customer who signed in. Null for a visitor who did not. */
  owner: string | null;
}

/** The customer, and what this BFF offers them: `GET /api/session`, and the SSE event `session`. */
export interface Session {
  /** Null without a session. */
  customer: Customer | null;
  unread: number;
  /** The operator's name for the support desk; null when none is configured. */
  brand: string | null;
  /**
   * The number of tickets that others opened under this proven address without proving it. The customer may claim
   * them.
   */
  claimable: number;
  /**
   * The number of tickets that this browser opened before its customer signed in, under another address than the proven
   * one. `POST /api/session/transfer` with `{}` adds them to the customer's, and `DELETE` declines them for good. Both
   * answer the `Session`, which is unchanged if there is nothing to add.
   */
  transferable: number;
  /**
   * Whether tickets of this visitor were claimed by the owner of the address that they were opened under. True until
   * the visitor signs in or has read the notice, which `DELETE /api/session/moved` reports (it answers the
   * `Session`).
   */
  moved: boolean;
  /** Whether codes by e-mail are offered. */
  email_code: boolean;
}

/** Body of `POST /api/session/identity`; answers the `Session`. */
export interface IdentityProof {
  /** The JWT signed by the site's server. */
  token: string;
}

/** Body of `POST /api/session/code`; the answer is `{ "sent": true }` for every address. */
export interface CodeRequest {
  email: string;
  /** Tag of the language of the mail. A language that the widget does not have means English. */
  language?: string | undefined;
}

/** Body of `POST /api/session/code/verify`; answers the `Session`. A wrong code is an error of the field `code`. */
export interface CodeAnswer {
  /** Six digits. */
  code: string;
}

/**
 * `POST`, `GET` and `DELETE /api/session/handoff`: the offer of this session to one other device. `GET` answers
 * `not_found` when there is none, it was taken or it has expired.
 */
export interface Handoff {
  /** `asked`: a device has opened the link and waits for `POST /api/session/handoff/confirm`. */
  state: 'offered' | 'asked';
  /** Two digits that the waiting device shows too. Null until a device asks. */
  number: string | null;
  /** ISO 8601 UTC. */
  expires_at: string;
  /** The link, with the secret in its fragment. Only in the answer to `POST`. */
  url?: string;
  /** The link as a QR code: rows of `0` and `1`, one character a module. Only in the answer to `POST`. */
  qr?: string[];
}

/** Body of `POST /api/session/handoff/confirm`. */
export interface HandoffConfirmation {
  /** The number as the customer saw it. If another device has asked, it does not match and is refused. */
  number: string;
}

/** Body of `POST /api/session/handoff/redeem`, repeated until `done`. */
export interface HandoffAnswer {
  /** From the link's fragment. */
  secret: string;
  /** A UUID that this device created. No other device can continue its request. */
  device: string;
}

/** `done`: this device now has a session of the same customer. */
export type HandoffProgress = { state: 'asked'; number: string } | { state: 'done'; session: Session };
