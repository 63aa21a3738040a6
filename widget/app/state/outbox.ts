import type { Message, NewMessage, NewTicket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import type { Store } from '../storage.ts';
import type { Clock } from './clock.ts';
import { backoffMs } from './clock.ts';
import type { MessageSend, Send, TicketSend } from './sends.ts';
import { createSendStore } from './sends.ts';
import { computed, signal } from './signal.ts';
import { refOf } from './tickets.ts';

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

const conversation = (send: Send) => (send.kind === 'ticket' ? send.key : refOf(send.ticket));

/**
 * What the customer has sent and no conversation shows yet. A send is stored before its first byte leaves, keeps its
 * key over retries and reloads, and goes once the BFF shows it.
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
    return open.filter(isHead);
  }

  async function attempt(send: Send) {
    const result =
      send.kind === 'ticket'
        ? await api.createTicket(send.key, send.payload)
        : await api.reply(send.ticket.id ?? send.ticket.key!, send.key, send.payload);
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
    } else {
      // The text stays here until the conversation shows it.
      const { state, error = null } = result.value;
      if (isHere) save({ ...send, is_held: true, state, error });
      if (send.kind === 'ticket') onTicket(send, result.value as TicketSummary);
      else onMessage(send, result.value as Message);
    }
  }

  async function run() {
    if (isRunning || ready().length === 0) return;
    isRunning = true;
    cancelWake();
    const due = async () => {
      await whenClear();
      // Other tabs send, add and discard too.
      refresh();
      return ready().find((send) => send.retry_at <= clock.now());
    };
    try {
      await lock(async () => {
        for (let send = await due(); send; send = await due()) await (underWay = attempt(send));
      });
    } finally {
      isRunning = false;
      const wakeAt = Math.min(...ready().map((send) => send.retry_at));
      // Now and then in any case: the screen says how long it will be.
      const waitMs = Math.min(30_000, Math.max(0, wakeAt - clock.now()));
      if (wakeAt < Infinity) cancelWake = clock.after(waitMs, () => void run());
    }
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
    /** After a definite refusal: the same text under a new key; once, whichever tab asks first. */
    resend(send: Send) {
      if (!store.has(send.key)) return;
      store.remove(send.key);
      add({ ...send, ...base() });
    },
    discard: remove,
    /** Try what waits without regard to its backoff: the network came back, or the customer asked. */
    wake() {
      // As stored now: what another tab has taken out meanwhile must not come back.
      for (const send of store.all()) if (send.error !== 'rate_limited') save({ ...send, retry_at: 0 });
      void run();
    },
    /** Sends what is due; waits behind another tab that does, and takes over from one that has died. */
    run: () => void run(),
    /** When no attempt is under way; one that still waits to begin is not. */
    idle: () => underWay,
    refresh,
  };
}

export type OutboxModel = ReturnType<typeof createOutbox>;
