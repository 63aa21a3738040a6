import { createHash } from 'node:crypto';
import type { ServerEventName, ServerEvents } from '../contract/events.ts';

/** What a browser shows when its stream begins. */
export interface OnScreen {
  /** The ticket whose thread is on screen. */
  readonly thread: string | null;
  /** The newest message of it that the browser has. Empty: send the newest page; null: send all. */
  readonly after: string | null;
}

/** One open stream of one subject. */
export interface Subscriber extends OnScreen {
  readonly subjectId: string;
  readonly sessionId: string;
  /** The messages of that thread have been sent. */
  hasThread: boolean;
  send<Name extends ServerEventName>(name: Name, data: ServerEvents[Name]): void;
  /**
   * As `send`, but does nothing when the last data sent under this `id` were the same. True when nothing was sent under
   * it before.
   */
  sendChanged<Name extends ServerEventName>(name: Name, id: string, data: ServerEvents[Name]): boolean;
  /** Treats data as sent under this `id`: another event contained them. */
  remember<Name extends ServerEventName>(name: Name, id: string, data: ServerEvents[Name]): void;
  /** A comment, to show that the stream is alive. */
  beat(): void;
  end(): void;
}

const digest = (text: string) => createHash('sha1').update(text).digest('base64url');

/** Remembers hashes of what a stream has sent, so that it repeats nothing. */
export function createSubscriber(
  who: Pick<Subscriber, 'subjectId' | 'sessionId' | keyof OnScreen>,
  stream: { write: (event: string) => void; end: () => void },
): Subscriber {
  const sent = new Map<string, string>();
  /** What this replaces: the same, something else or nothing. */
  const note = (name: string, id: string, json: string) => {
    const hash = digest(json);
    const former = sent.get(`${name} ${id}`);
    sent.set(`${name} ${id}`, hash);
    return { isFirst: former === undefined, isNew: former !== hash };
  };
  /** Events that happen before `sync` is written are sent after it. */
  let buffered: string[] | null = [];
  const write = (name: string, json: string) => {
    const event = `event: ${name}\ndata: ${json}\n\n`;
    if (buffered && name !== 'sync') return void buffered.push(event);
    stream.write(event);
    for (const each of buffered ?? []) stream.write(each);
    buffered = null;
  };
  return {
    ...who,
    hasThread: false,
    send: (name, data) => write(name, JSON.stringify(data)),
    sendChanged(name, id, data) {
      const json = JSON.stringify(data);
      const { isFirst, isNew } = note(name, id, json);
      if (isNew) write(name, json);
      return isFirst;
    },
    remember: (name, id, data) => void note(name, id, JSON.stringify(data)),
    beat: () => stream.write(': still here\n\n'),
    end: stream.end,
  };
}

/** All open streams, by subject. */
export function createHub() {
  const subscribers = new Map<string, Set<Subscriber>>();
  return {
    add(subscriber: Subscriber): () => void {
      const mine = subscribers.get(subscriber.subjectId) ?? new Set();
      subscribers.set(subscriber.subjectId, mine.add(subscriber));
      return () => {
        mine.delete(subscriber);
        if (mine.size === 0) subscribers.delete(subscriber.subjectId);
      };
    },
    of: (subjectId: string): readonly Subscriber[] => [...(subscribers.get(subjectId) ?? [])],
    all: (): readonly Subscriber[] => [...subscribers.values()].flatMap((mine) => Array.from(mine)),
  };
}
