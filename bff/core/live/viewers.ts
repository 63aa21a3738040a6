import { setImmediate } from 'node:timers/promises';
import type { Message } from '../../../shared/contract/tickets.ts';
import type { StreamEvent, SentMessages, ThreadEvents } from './stream-event.ts';

/** What a browser has on screen when its stream begins. */
export interface OnScreen {
  /** The ticket whose thread is on screen. */
  readonly thread: string | null;
  /** The newest message of that thread that the browser has. Empty: send the newest page; null: send all. */
  readonly after: string | null;
}

type Owner = { readonly subjectId: string; readonly sessionId: string } & OnScreen;

interface Stream {
  write(parts: readonly Buffer[]): void;
  end(): void;
}

const heartbeat = [Buffer.from(': still here\n\n')];
const nothingSent: SentMessages = new Map();

/**
 * A browser with one open stream. Remembers digests of what it has sent, so that it repeats nothing. It knows no rights:
 * `publish.ts` decides what it may have.
 */
export class Viewer {
  readonly subjectId: string;
  readonly sessionId: string;
  readonly thread: string | null;
  readonly after: string | null;
  readonly #stream: Stream;
  /** The digest of the last event, by slot; `send` leaves none. */
  readonly #sent = new Map<string, string>();
  /** The messages of the thread on screen that were sent. Undefined until a `sync` has brought the thread. */
  #messages: SentMessages | undefined;
  /** Events that happen before `sync` is written, to be sent after it. Null from then on. */
  #buffered: Buffer[] | null = [];

  constructor({ subjectId, sessionId, thread, after }: Owner, stream: Stream) {
    this.subjectId = subjectId;
    this.sessionId = sessionId;
    this.thread = thread;
    this.after = after;
    this.#stream = stream;
  }

  get hasThread(): boolean {
    return this.#messages !== undefined;
  }

  /** Whether a message that was sent is in this thread no more. */
  hasMoreThan(thread: ThreadEvents): boolean {
    return thread.changeSince(this.#messages ?? nothingSent).isShorter;
  }

  #write(parts: Buffer[]): void {
    if (this.#buffered) this.#buffered.push(...parts);
    else if (parts.length > 0) this.#stream.write(parts);
  }

  /** The first event, with everything that the screen needs. `messages`: those of the thread on screen. */
  begin(sync: StreamEvent, contained: readonly StreamEvent[], messages: SentMessages | undefined): void {
    for (const { slot, digest } of contained) this.#sent.set(slot, digest);
    this.#messages = messages;
    const buffered = this.#buffered ?? [];
    this.#buffered = null;
    this.#write([sync.bytes, ...buffered]);
  }

  /** Sends an event even if it repeats the last one. */
  send(event: StreamEvent): void {
    this.#write([event.bytes]);
  }

  /** Sends each event that differs from the last event of its slot. */
  sendNew(events: readonly StreamEvent[]): void {
    this.#write(this.#takeNew(events));
  }

  #takeNew(events: readonly StreamEvent[]): Buffer[] {
    const parts: Buffer[] = [];
    for (const event of events) {
      if (this.#sent.get(event.slot) === event.digest) continue;
      this.#sent.set(event.slot, event.digest);
      parts.push(event.bytes);
    }
    return parts;
  }

  /** Sends a message of the thread on screen, unless it was sent before. */
  sendMessage(event: StreamEvent): void {
    if (!this.#messages) return this.sendNew([event]);
    const { slot, digest, bytes } = event;
    if (this.#messages.get(slot) === digest) return;
    this.#messages = new Map(this.#messages).set(slot, digest);
    this.#write([bytes]);
  }

  /**
   * Sends the new messages of the thread on screen and these events, in one piece. Returns messages that were not sent
   * before in any form.
   */
  sendThread(thread: ThreadEvents, events: readonly StreamEvent[]): readonly Message[] {
    const { events: messages, added } = thread.changeSince(this.#messages ?? nothingSent);
    this.#messages = thread.sent;
    this.#write([...messages.map(({ bytes }) => bytes), ...this.#takeNew(events)]);
    return added;
  }

  /** A comment, to show that the stream is alive. */
  beat(): void {
    this.#stream.write(heartbeat);
  }

  end(): void {
    this.#stream.end();
  }
}

/** All viewers, by subject. */
export function createViewers() {
  const bySubject = new Map<string, Set<Viewer>>();
  return {
    add(viewer: Viewer): void {
      const theirs = bySubject.get(viewer.subjectId) ?? new Set();
      bySubject.set(viewer.subjectId, theirs.add(viewer));
    },
    remove(viewer: Viewer): void {
      const theirs = bySubject.get(viewer.subjectId);
      theirs?.delete(viewer);
      if (theirs?.size === 0) bySubject.delete(viewer.subjectId);
    },
    of: (subjectId: string): readonly Viewer[] => [...(bySubject.get(subjectId) ?? [])],
    all: (): readonly Viewer[] => [...bySubject.values()].flatMap((theirs) => Array.from(theirs)),
  };
}

/** How many streams are written to before other work of the process continues. */
const sliceSize = 250;

/** Splits a list into slices. Waiting requests go first in between. */
export async function* slicesOf<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += sliceSize) {
    if (at > 0) await setImmediate();
    yield list.slice(at, at + sliceSize);
  }
}

/**
 * Calls `send` for each viewer separately. If one fails, the error is reported and that stream is ended: the browser
 * reconnects and starts with a full sync. The other viewers are not affected. `send` returns a promise only if it must
 * wait, since thousands of promises take longer than what they wait for.
 */
export function createBroadcast(onError: (error: unknown) => void) {
  function fail(to: Viewer, error: unknown): void {
    onError(error);
    to.end();
  }
  return async (
    viewers: Iterable<Viewer>,
    send: (to: Viewer) => Promise<unknown> | undefined,
  ): Promise<void> => {
    const waiting: Promise<unknown>[] = [];
    for (const to of viewers) {
      try {
        const sent = send(to);
        if (sent) waiting.push(sent.catch((error: unknown) => fail(to, error)));
      } catch (error) {
        fail(to, error);
      }
    }
    await Promise.all(waiting);
  };
}
