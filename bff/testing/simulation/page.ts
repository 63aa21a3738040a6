import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ServerEventName } from '../../../shared/contract/events.ts';
import type { Message, Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { Person } from './people.ts';
import type { Process } from './process.ts';
import type { SimulatedTime } from './time.ts';

/** A response whose bytes arrive at once, unless its reader reads nothing. */
class Response extends EventEmitter {
  destroyed = false;
  writableEnded = false;
  writableLength = 0;
  readonly req = { rawHeaders: [], headers: {} };
  readonly #onText: (text: string) => void;
  /** Null while the reader reads. */
  #unread: string[] | null = null;

  constructor(onText: (text: string) => void) {
    super();
    this.#onText = onText;
  }

  writeHead(): this {
    return this;
  }

  flushHeaders(): void {}

  write(bytes: Buffer): boolean {
    if (!this.#unread) this.#onText(bytes.toString());
    else {
      this.#unread.push(bytes.toString());
      this.writableLength += bytes.length;
    }
    return this.#unread === null;
  }

  end(): void {
    this.writableEnded = true;
    this.destroy();
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    queueMicrotask(() => this.emit('close'));
  }

  break(): void {
    if (this.listenerCount('error') > 0) this.emit('error', new Error('the connection broke'));
    this.destroy();
  }

  stall(): void {
    this.#unread ??= [];
  }

  drain(): void {
    const unread = this.#unread ?? [];
    this.#unread = null;
    this.writableLength = 0;
    if (this.destroyed) return;
    for (const text of unread) this.#onText(text);
    this.emit('drain');
  }
}

const reconnectMs = 1_000;

/** Who looks at what. `ticketId`: on screen; null for the list. */
export interface Looking extends Person {
  ticketId: string | null;
}

/**
 * An open page with its stream, which reconnects as a browser does. It keeps what it was shown.
 * @param onAnswer called with each answer that arrives
 */
export function openPage(
  who: Looking,
  {
    time,
    current,
    onAnswer,
    onRepeat,
  }: {
    time: SimulatedTime;
    current: () => Process;
    onAnswer: (page: Looking, text: string) => void;
    onRepeat: (text: string) => void;
  },
) {
  const answers = new Map<string, string>();
  const list = new Map<string, string>();
  let isFresh = false;
  let isSignedOut = false;
  let isWanted = true;
  let attempts = 0;
  let response: Response | undefined;
  /** The messages that the current stream has sent, by id. */
  let sent = new Map<string, string>();

  function take(message: Message): void {
    if (message.author_type !== 'agent') return;
    answers.set(message.id!, message.body);
    onAnswer(who, message.body);
  }

  function put(ticket: TicketSummary): void {
    // A ticket that was underway has an id now.
    if (ticket.key !== null) list.delete(ticket.key);
    list.set(ticket.id ?? ticket.key!, JSON.stringify(ticket));
  }

  const handle: Partial<Record<ServerEventName, (data: never) => void>> = {
    sync({ tickets, thread }: { tickets: TicketSummary[]; thread: Ticket | null }) {
      list.clear();
      for (const ticket of tickets) put(ticket);
      for (const message of thread?.messages ?? []) take(message);
    },
    ticket: put,
    message({ message }: { message: Message }) {
      const text = JSON.stringify(message);
      const id = message.id ?? message.key!;
      if (sent.get(id) === text) onRepeat(message.body);
      sent.set(id, text);
      take(message);
    },
    session({ customer }: { customer: object | null }) {
      if (customer === null) isSignedOut = true;
    },
    freshness({ fresh }: { fresh: boolean }) {
      isFresh = fresh;
    },
  };

  function createReader(): (text: string) => void {
    let rest = '';
    return (text) => {
      const events = (rest + text).split('\n\n');
      rest = events.pop()!;
      for (const event of events) {
        const [, name, data] = /^event: ([\w-]+)\ndata: (.*)$/.exec(event) ?? [];
        if (name) handle[name as ServerEventName]?.(JSON.parse(data!) as never);
      }
    };
  }

  function reconnect(): void {
    attempts += 1;
    const mine = attempts;
    void time.sleep(reconnectMs).then(() => (mine === attempts ? connect() : undefined));
  }

  async function connect(): Promise<void> {
    if (!isWanted || isSignedOut) return;
    const { core } = current();
    const mine = new Response(createReader());
    response = mine;
    sent = new Map();
    mine.on('close', () => {
      if (response === mine) reconnect();
    });
    try {
      const session = await core.sessions.find(who.session.id);
      if (!session) {
        isSignedOut = true;
        return;
      }
      const after = [...answers.keys()].at(-1) ?? '';
      if (response === mine)
        await core.live.open(mine as unknown as ServerResponse, session, { thread: who.ticketId, after }, {});
    } catch {
      mine.destroy();
    }
  }

  function close(): void {
    isWanted = false;
    response?.destroy();
  }

  void connect();

  return {
    who,
    close,
    /** The connection breaks, and the process is told later or never. */
    lose(): void {
      const lost = response;
      response = undefined;
      reconnect();
      if (!current().isDead()) lost?.break();
    },
    stall: () => response?.stall(),
    drain: () => response?.drain(),
    isOpen: () => isWanted && !isSignedOut,
    isSignedOut: () => isSignedOut,
    isFresh: () => isFresh,
    newest: () => [...answers.keys()].at(-1),
    answers: () => [...answers.values()],
    list: () => [...list.values()],
  };
}

export type Page = ReturnType<typeof openPage>;
