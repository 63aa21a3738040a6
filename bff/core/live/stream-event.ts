import { hash } from 'node:crypto';
import type { ServerEventName, ServerEvents } from '../../../shared/contract/events.ts';
import type { Message } from '../../../shared/contract/tickets.ts';

/*
 * Events of streams, as objects that many streams share. Their digests say what a stream has sent already. This module
 * knows no viewer and no right.
 */

const digestOf = (json: string) => hash('sha1', json, 'base64url');

/** An event that one or many streams send. */
export class StreamEvent {
  /** An event with the same slot replaces this one. */
  readonly slot: string;
  readonly #name: ServerEventName;
  readonly #json: string;
  #digest: string | undefined;
  #bytes: Buffer | undefined;

  constructor(name: ServerEventName, slot: string, json: string) {
    this.slot = slot;
    this.#name = name;
    this.#json = json;
  }

  /** Equal for events with equal data. */
  get digest(): string {
    return (this.#digest ??= digestOf(this.#json));
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(`event: ${this.#name}\ndata: ${this.#json}\n\n`));
  }
}

/** @param id names the subject of the data; empty if the slot has only one */
export const toEvent = <Name extends ServerEventName>(
  name: Name,
  id: string,
  data: ServerEvents[Name],
): StreamEvent => new StreamEvent(name, `${name} ${id}`, JSON.stringify(data));

/** The digests of the messages that a stream has sent, by message. Streams share it, so it must not be changed. */
export type SentMessages = ReadonlyMap<string, string>;

const slotOf = (message: Message) => message.id ?? message.key ?? '';
const jsonOf = (ticketId: string, message: Message) => JSON.stringify({ ticket_id: ticketId, message });

/** The event of one message. Its slot is the message, found by id or key. */
export const toMessageEvent = (ticketId: string, message: Message): StreamEvent =>
  new StreamEvent('message', slotOf(message), jsonOf(ticketId, message));

interface Change {
  events: readonly StreamEvent[];
  /** Messages that are new to the stream. */
  added: readonly Message[];
  /** The service has removed a message that the stream has sent. */
  isShorter: boolean;
}

/** A conversation as some viewers may see it, and the part of it that each stream must still send. */
export class ThreadEvents {
  /** The messages that a stream has sent after this. */
  readonly sent: SentMessages;
  readonly #ticketId: string;
  readonly #messages: readonly Message[];
  /** Streams that have sent the same messages share what they send next. */
  readonly #changes = new WeakMap<SentMessages, Change>();

  constructor(ticketId: string, messages: readonly Message[]) {
    this.#ticketId = ticketId;
    this.#messages = messages;
    this.sent = new Map(
      messages.map((message) => [slotOf(message), digestOf(jsonOf(ticketId, message))] as const),
    );
  }

  changeSince(before: SentMessages): Change {
    const known = this.#changes.get(before);
    if (known) return known;
    const changed = this.#messages.filter(
      (message) => before.get(slotOf(message)) !== this.sent.get(slotOf(message)),
    );
    const names = new Set(this.#messages.flatMap(({ id, key }) => [id, key]));
    const change = {
      events: changed.map((message) => toMessageEvent(this.#ticketId, message)),
      added: changed.filter((message) => !before.has(slotOf(message))),
      isShorter: [...before.keys()].some((slot) => !names.has(slot)),
    };
    this.#changes.set(before, change);
    return change;
  }
}
