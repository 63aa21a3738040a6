import type { Message, NewMessage, NewTicket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import type { Store } from '../storage.ts';
import type { Clock } from './clock.ts';
import { backoffMs } from './clock.ts';
import type { MessageSend, Send, TicketSend } from './sends.ts';
import { createSendStore } from './sends.ts';
import { computed, signal } from './signal.ts';

/** Runs one sender at a time across the tabs of this browser. */
export type Lock = (run: () => Promise<void>) => Promise<void>;

interface OutboxOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  lock: Lock;
  /** Comes when a send may go: while a token is exchanged, it is not known yet whose it would be. */
  whenClear: () => Promise<void>;
  newKey: () => string;
  onTicket: (send: TicketSend, ticket: TicketSummary) => void;
  onMessage: (send: MessageSend, message: Message) => void;
  onRefused: (send: Send, code: ApiFailure['code'], fields: ApiFailure['fields']) => void;
}

const conversation = (send: Send) =>
  send.kind === 'ticket' ? send.key : (send.ticket.id ?? send.ticket.key);

/**
 * What the customer has sent and the BFF has not yet confirmed. A send is stored before its first byte leaves, keeps
 * its key over retries and reloads, and goes once the BFF's own ledger holds it.
 */
export function createOutbox({
  api,
  clock,
  storage,
  lock,
  whenClear,
  newKey,
  onTicket,
  onMessage,
  onRefused,
}: OutboxOptions) {
  const store = createSendStore(storage);
  const sends = signal<readonly Send[]>(store.all());
  const unstored = new Set<string>();
  let isRunning = false;
  let cancelWake = () => {};
  let underWay = Promise.resolve();

  const refresh = () => {
    sends.value = store.all();
  };

  function save(send: Send) {
    if (store.save(send)) unstored.delete(send.key);
    else unstored.add(send.key);
    refresh();
  }

  function remove(key: string) {
    if (!store.has(key)) return;
    store.remove(key);
    refresh();
  }

  /** Sends that can leave, oldest first: one conversation's messages never overtake each other. */
  function ready(): Send[] {
    const open = sends.peek().filter((send) => send.state !== 'rejected' && !send.is_held);
    const isHead = (send: Send) => open.find((other) => conversation(other) === conversation(send)) === send;
    return open.filter((send) => isHead(send) && (send.kind === 'ticket' || send.ticket.id !== null));
  }

  async function attempt(send: Send) {
    const result =
      send.kind === 'ticket'
        ? await api.createTicket(send.key, send.payload)
        : await api.reply(send.ticket.id!, send.key, send.payload);
    // An event may have told of the send before its own answer did.
    const isHere = store.has(send.key);
    if (!result.ok) {
      if (!isHere) return;
      const { retryable, code: error, retryAfterSec } = result.error;
      const attempts = send.attempts + 1;
      const waitMs = Math.max(backoffMs(attempts), retryAfterSec * 1000);
      const state = retryable ? 'accepted' : 'rejected';
      save({ ...send, state, attempts, error, retry_at: clock.now() + waitMs });
      if (!retryable) onRefused(send, error, result.error.fields);
    } else if (send.kind === 'ticket') {
      const ticket = result.value as TicketSummary;
      // The text stays here until the conversation is: the BFF's list has only the start of it.
      if (isHere) save({ ...send, is_held: true, error: null });
      if (ticket.id !== null) link(send.key, ticket.id);
      onTicket(send, ticket);
    } else {
      remove(send.key);
      onMessage(send, result.value as Message);
    }
  }

  /** The ticket created under `key` exists as `id`: replies that waited for it may go. */
  function link(key: string, id: string) {
    for (const send of sends.peek())
      if (send.kind === 'message' && send.ticket.id === null && send.ticket.key === key)
        store.save({ ...send, ticket: { id, key } });
    refresh();
  }

  async function run() {
    if (isRunning) return;
    isRunning = true;
    cancelWake();
    await lock(async () => {
      refresh();
      const due = async () => {
        await whenClear();
        return ready().find((send) => send.retry_at <= clock.now());
      };
      for (let send = await due(); send; send = await due()) await (underWay = attempt(send));
    });
    isRunning = false;
    const wakeAt = Math.min(...ready().map((send) => send.retry_at));
    // Now and then in any case: the screen says how long it will be.
    const waitMs = Math.min(30_000, Math.max(0, wakeAt - clock.now()));
    if (wakeAt < Infinity) cancelWake = clock.after(waitMs, () => void run());
  }

  const base = () => ({
    key: newKey(),
    created_at: new Date(clock.now()).toISOString(),
    state: 'sending' as const,
    is_held: false,
    attempts: 0,
    retry_at: 0,
    error: null,
  });

  function add<S extends Send>(send: S): S {
    save(send);
    void run();
    return send;
  }

  return {
    sends,
    /** True while a text is nowhere but here: the BFF did not take it yet, or the browser could not keep it. */
    isOnlyHere: computed(() =>
      sends.value.some(({ key, state, is_held }) => !is_held && (state === 'accepted' || unstored.has(key))),
    ),
    addTicket: (payload: NewTicket) => add<TicketSend>({ ...base(), kind: 'ticket', payload }),
    addMessage: (ticket: MessageSend['ticket'], payload: NewMessage) =>
      add<MessageSend>({ ...base(), kind: 'message', ticket, payload }),
    find: (key: string) => sends.value.find((send) => send.key === key),
    /** After a definite refusal: the same text under a new key. */
    resend(send: Send) {
      store.remove(send.key);
      add({ ...send, ...base() });
    },
    discard: remove,
    link(key: string, id: string) {
      link(key, id);
      void run();
    },
    /** Try what waits without regard to its backoff: the network came back, or the customer asked. */
    wake() {
      for (const send of sends.peek())
        if (send.error !== 'rate_limited') store.save({ ...send, retry_at: 0 });
      refresh();
      void run();
    },
    run: () => void run(),
    /** When no attempt is under way; one that still waits to begin is not. */
    idle: () => underWay,
    /** Another tab changed what is stored. */
    refresh,
  };
}

export type OutboxModel = ReturnType<typeof createOutbox>;
