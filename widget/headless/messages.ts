import type { ErrorCode, FieldFault } from '../../shared/contract/errors.ts';
import type { ClientState, NewTicket } from '../npm/client.d.ts';

/** What a site may request, by name; the answer is the message `answer`. */
export interface ClientCalls {
  /** Stores the ticket and retries until it is sent. Returns its ref. */
  openTicket: (ticket: NewTicket) => string;
  /** The same for a reply to the ticket of this ref. */
  reply: (ref: string, text: string) => void;
  /** Opens this conversation: its answers arrive, and count as read while the page is visible. Null closes it. */
  follow: (ref: string | null) => void;
  /** Reads the page before the oldest message of the conversation that is followed. */
  loadEarlier: () => void;
  /** Sends a message again that was refused. */
  sendAgain: (key: string) => void;
  /** Forgets the text that was refused. */
  discard: () => void;
}

export type ClientCall = {
  [Name in keyof ClientCalls]: { name: Name; args: Parameters<ClientCalls[Name]> };
}[keyof ClientCalls];

/** Page → frame. */
export type ClientRequest = ClientCall & { type: 'call'; id: number };

/** Frame → page. */
export type ClientReport =
  | { type: 'state'; state: ClientState }
  | { type: 'answer'; id: number; value?: unknown; code?: ErrorCode; fields?: Record<string, FieldFault> };

const isText = (value: unknown) => typeof value === 'string';
const isTicket = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([name, field]) => name === 'context' || isText(field) || field == null);

const checks: { [Name in keyof ClientCalls]: (args: unknown[]) => boolean } = {
  openTicket: ([ticket]) => isTicket(ticket),
  reply: ([ref, text]) => isText(ref) && isText(text),
  follow: ([ref]) => ref === null || isText(ref),
  loadEarlier: () => true,
  sendAgain: ([key]) => isText(key),
  discard: () => true,
};

/** Whether these are the arguments of that call. */
export const isCall = (name: string, args: unknown): boolean =>
  Object.hasOwn(checks, name) && Array.isArray(args) && checks[name as keyof ClientCalls](args);

/** Null for another message. Every request has an answer, also one with wrong arguments. */
export function readClientRequest(value: unknown): ClientRequest | null {
  const { type, id } = Object(value) as Record<string, unknown>;
  return type === 'call' && typeof id === 'number' ? (value as ClientRequest) : null;
}
