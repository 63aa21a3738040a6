/* What is known of a mail once it was read. It knows no ticket, store or parser. */

/** The headers of a mail by their names. */
export interface Headers {
  /** The value of the topmost header of this name. */
  first(name: string): string | null;
  /** All values of this name, the topmost first. */
  all(name: string): string[];
  has(name: string): boolean;
}

export function headersOf(list: readonly { key: string; value: string }[]): Headers {
  const values = new Map<string, string[]>();
  for (const { key, value } of list) {
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  const all = (name: string) => values.get(name.toLowerCase()) ?? [];
  return { all, first: (name) => all(name)[0] ?? null, has: (name) => values.has(name.toLowerCase()) };
}

/** The value of a header before its parameters, in lower case. */
export const valueOf = (header: string | null): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

export interface Bounce {
  /** In lower case. Empty if the mail does not name any. */
  addresses: readonly string[];
  /** There is no such mailbox. */
  isPermanent: boolean;
}

/** A received mail, as far as the BFF uses it. */
export interface IncomingMail {
  /** Message-ID without brackets. */
  messageId: string | null;
  /** Ids of In-Reply-To and References, without brackets, the nearest first. */
  references: readonly string[];
  /** Null also where it names several. */
  from: { name: string; address: string } | null;
  /** Addresses of Delivered-To, X-Original-To, Envelope-To, To and Cc: where a reply token can stand. */
  recipients: readonly string[];
  subject: string;
  /** Only the new words, plain text. Empty when the mail has none. A picture is `[name]` at its place. */
  words: string;
  /** The whole text, with what was quoted: for the operator. */
  whole: string;
  /** Without pictures that stand only in what was quoted or in a signature. */
  attachments: readonly { name: string; type: string; content: Uint8Array }[];
  /** Values of Authentication-Results, the topmost first. */
  authentication: readonly string[];
  /** `automatic`: nobody wrote it. `list`: it came by a mailing list or bulk sender. */
  kind: 'personal' | 'automatic' | 'list' | 'bounce';
  /** Set for `bounce`. */
  bounce: Bounce | null;
}

/** A mail that is not read, with a reason in plain words for the operator. */
export class UnreadableMail extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'UnreadableMail';
  }
}
