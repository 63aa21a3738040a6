import { createHash } from 'node:crypto';
import type { ServerEventName, ServerEvents } from '../contract/events.ts';

/** What a browser shows as its stream begins. */
export interface OnScreen {
  /** The ticket whose thread is on screen. */
  readonly thread: string | null;
  /** The message of it up to which the browser holds it; empty: it is to begin with the newest page, null: with all. */
  readonly after: string | null;
}

/** One open stream of one subject. */
export interface Subscriber extends OnScreen {
  readonly subjectId: string;
  readonly sessionId: string;
  /** Whether the messages of that thread have been sent. */
  hasThread: boolean;
  send<Name extends ServerEventName>(name: Name, data: ServerEvents[Name]): void;
  /** As `send`, but nothing when the last data sent under this `id` were the same. */
  sendChanged<Name extends ServerEventName>(name: Name, id: string, data: ServerEvents[Name]): void;
  /** Counts data as sent under this `id`: another event carried them. */
  remember<Name extends ServerEventName>(name: Name, id: string, data: ServerEvents[Name]): void;
  /** A comment, to show that the stream is alive. */
  beat(): void;
  end(): void;
}

const digest = (text: string) => createHash('sha1').update(text).digest('base64url');

/** Remembers by hash what a stream has sent, so that it repeats nothing. */
export function createSubscriber(
  who: Pick<Subscriber, 'subjectId' | 'sessionId' | keyof OnScreen>,
  stream: { write: (event: string) => void; end: () => void },
): Subscriber {
  const sent = new Map<string, string>();
  /** False when it was the same. */
  const note = (name: string, id: string, json: string) => {
    const hash = digest(json);
    const isNew = sent.get(`${name} ${id}`) !== hash;
    sent.set(`${name} ${id}`, hash);
    return isNew;
  };
  /** What happens while `sync` is being put together waits until that is written. */
  let held: string[] | null = [];
  const write = (name: string, json: string) => {
    const event = `event: ${name}\ndata: ${json}\n\n`;
    if (held && name !== 'sync') return void held.push(event);
    stream.write(event);
    for (const each of held ?? []) stream.write(each);
    held = null;
  };
  return {
    ...who,
    hasThread: false,
    send: (name, data) => write(name, JSON.stringify(data)),
    sendChanged(name, id, data) {
      const json = JSON.stringify(data);
      if (note(name, id, json)) write(name, json);
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
