import type { StreamEvent, SentMessages, ThreadEvents } from './stream-event.ts';
import { StreamText } from './stream-text.ts';

/** What a browser has on screen when its stream begins. */
export interface OnScreen {
  /** The ticket whose thread is on screen. */
  readonly thread: string | null;
  /** The newest message of that thread that the browser has. Empty: send the newest page; null: send all. */
  readonly after: string | null;
}

type Viewer = { readonly subjectId: string; readonly sessionId: string } & OnScreen;

interface Stream {
  write(texts: readonly StreamText[]): void;
  end(): void;
}

const heartbeat = [new StreamText(': still here\n\n')];
const nothingSent: SentMessages = new Map();

/** One open stream of one subject. Remembers digests of what it has sent, so that it repeats nothing. */
export class Subscriber {
  readonly subjectId: string;
  readonly sessionId: string;
  readonly thread: string | null;
  readonly after: string | null;
  readonly #stream: Stream;
  /** The digest of the last event, by slot. */
  readonly #sent = new Map<string, string>();
  /** The messages of the thread on screen that were sent. Undefined before the first message. */
  #messages: SentMessages | undefined;
  /** Events that happen before `sync` is written are sent after it. */
  #buffered: StreamText[] | null = [];

  constructor({ subjectId, sessionId, thread, after }: Viewer, stream: Stream) {
    this.subjectId = subjectId;
    this.sessionId = sessionId;
    this.thread = thread;
    this.after = after;
    this.#stream = stream;
  }

  get hasThread(): boolean {
    return this.#messages !== undefined;
  }

  #write(texts: StreamText[]): void {
    if (this.#buffered) this.#buffered.push(...texts);
    else if (texts.length > 0) this.#stream.write(texts);
  }

  /** The first event, with everything that the screen needs. `messages`: those of the thread on screen. */
  begin(sync: StreamEvent, contained: readonly StreamEvent[], messages: SentMessages | undefined): void {
    for (const { slot, digest } of contained) this.#sent.set(slot, digest);
    this.#messages = messages;
    const buffered = this.#buffered ?? [];
    this.#buffered = null;
    this.#write([sync.text, ...buffered]);
  }

  /** Sends an event even if it repeats the last one. */
  send(event: StreamEvent): void {
    this.#write([event.text]);
  }

  /** Sends each event that differs from the last event of its slot. */
  sendNew(events: readonly StreamEvent[]): void {
    this.#write(this.#takeNew(events));
  }

  #takeNew(events: readonly StreamEvent[]): StreamText[] {
    const texts: StreamText[] = [];
    for (const event of events) {
      if (this.#sent.get(event.slot) === event.digest) continue;
      this.#sent.set(event.slot, event.digest);
      texts.push(event.text);
    }
    return texts;
  }

  /** Sends a message of the thread on screen, unless it was sent before. */
  sendMessage({ slot, digest, text }: StreamEvent): void {
    if (this.#messages?.get(slot) === digest) return;
    this.#messages &&= new Map(this.#messages).set(slot, digest);
    this.#write([text]);
  }

  /**
   * Sends the new messages of the thread on screen and these events, in one piece. Returns the messages that had been
   * sent before.
   */
  sendThread(thread: ThreadEvents, events: readonly StreamEvent[]): SentMessages {
    const before = this.#messages ?? nothingSent;
    this.#messages = thread.sent;
    const { events: messages } = thread.changeSince(before);
    this.#write([...messages.map(({ text }) => text), ...this.#takeNew(events)]);
    return before;
  }

  /** A comment, to show that the stream is alive. */
  beat(): void {
    this.#stream.write(heartbeat);
  }

  end(): void {
    this.#stream.end();
  }
}

/** All open streams, by subject. */
export function createHub() {
  const subscribers = new Map<string, Set<Subscriber>>();
  return {
    add(subscriber: Subscriber): void {
      const mine = subscribers.get(subscriber.subjectId) ?? new Set();
      subscribers.set(subscriber.subjectId, mine.add(subscriber));
    },
    remove(subscriber: Subscriber): void {
      const mine = subscribers.get(subscriber.subjectId);
      mine?.delete(subscriber);
      if (mine?.size === 0) subscribers.delete(subscriber.subjectId);
    },
    of: (subjectId: string): readonly Subscriber[] => [...(subscribers.get(subjectId) ?? [])],
    all: (): readonly Subscriber[] => [...subscribers.values()].flatMap((mine) => Array.from(mine)),
  };
}
