import type {
  Message,
  NewMessage,
  NewTicket,
  Operation,
  TicketSummary,
} from '../../../bff/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import type { Store } from '../storage.ts';
import type { Clock } from './clock.ts';
import { backoffMs } from './clock.ts';
import type { MessageSend, Send, TicketSend } from './sends.ts';
import { nameOf, ownerOf, readSend, readSends, ticketOf } from './sends.ts';
import { computed, signal } from './signal.ts';
import { goesBack, isSame } from './tickets.ts';

/** Runs one sender at a time across the tabs of this browser. */
export type Lock = (run: () => Promise<void>) => Promise<void>;

interface OutboxOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  /** Who is signed in here; null for nobody. */
  owner: () => string | null;
  lock: Lock;
  /** Comes when a send may go: while a token is exchanged, it is not known yet whose it would be. */
  whenClear: () => Promise<void>;
  newKey: () => string;
  /** Hears what comes of each attempt. */
  sending: () => {
    onTicket: (send: TicketSend, ticket: TicketSummary) => void;
    onMessage: (send: MessageSend, message: Message) => void;
    /** The session of the one who wrote it is over; it waits for them. */
    onSessionEnd: () => void;
    /** It was sent for nobody, and there is no such session: settles once it is known who is here, if anybody. */
    findOwner: () => Promise<void>;
    onRefused: (send: Send, code: ApiFailure['code'], fields: ApiFailure['fields']) => void;
  };
}

/**
 * What the customer has sent and no conversation shows yet. A send is stored before its first byte leaves, keeps its
 * key over retries and reloads, and goes once the BFF shows it.
 */
export function createOutbox(options: OutboxOptions) {
  const { api, clock, storage, owner, lock, whenClear, newKey, sending } = options;
  const readOf = (whose: string | null) => readSends(storage).filter((send) => ownerOf(send) === whose);
  const readUnowned = () => (owner() === null ? [] : readOf(null));
  const sends = signal<readonly Send[]>(readOf(owner()));
  const unowned = signal<readonly Send[]>(readUnowned());
  let isRunning = false;
  let cancelWake = () => {};
  let underWay = Promise.resolve();

  const refresh = () => {
    sends.value = readOf(owner());
    unowned.value = readUnowned();
  };

  /** As stored now: other tabs send, add and discard too. */
  const find = (key: string | null) => readOf(owner()).find((send) => send.key === key);

  function save(...changed: Send[]) {
    for (const send of changed) storage.write(nameOf(send.key), send);
    refresh();
  }

  /** Takes the BFF's word on a send, which it holds then; answers and events overtake each other. */
  function hear(key: string, word: Pick<Operation, 'state' | 'error'>) {
    const send = readSend(storage, key);
    if (!send || (send.is_held && goesBack(send, word))) return;
    const { state, error = null } = word;
    save({ ...send, is_held: true, state, error });
  }

  function remove(key: string) {
    storage.remove(nameOf(key));
    refresh();
  }

  /** Sends that can leave, oldest first: one conversation's messages never overtake each other. */
  function ready(): Send[] {
    const open = sends.peek().filter((send) => send.state !== 'rejected' && !send.is_held);
    const isHead = (send: Send) => open.find((other) => isSame(ticketOf(other), ticketOf(send))) === send;
    return open.filter(isHead);
  }

  async function attempt(send: Send) {
    const result =
      send.kind === 'ticket'
        ? await api.createTicket(send.key, send.payload, ownerOf(send))
        : await api.reply(send.ticket.id ?? send.ticket.key!, send.key, send.payload, ownerOf(send));
    if (!result.ok) {
      const { retryable, code: error, retryAfterSec } = result.error;
      const isOver = error === 'unauthenticated';
      if (isOver && ownerOf(send) === null) await sending().findOwner();
      // An event or another tab may know better by now.
      const known = readSend(storage, send.key);
      if (known?.is_held !== false) return;
      const attempts = send.attempts + 1;
      const waitMs = Math.max(backoffMs(attempts), retryAfterSec * 1000);
      const waits = retryable || (isOver && Boolean(ownerOf(send) ?? owner()));
      const state = waits ? 'accepted' : 'rejected';
      save({ ...known, state, attempts, error, retry_at: clock.now() + waitMs });
      if (isOver && ownerOf(send)) sending().onSessionEnd();
      else if (!waits) sending().onRefused(send, error, result.error.fields);
    } else {
      // The text stays here until the conversation shows it.
      hear(send.key, result.value);
      if (ownerOf(send) !== owner()) return;
      if (send.kind === 'ticket') sending().onTicket(send, result.value as TicketSummary);
      else sending().onMessage(send, result.value as Message);
    }
  }

  async function run() {
    if (isRunning) return;
    isRunning = true;
    cancelWake();
    const due = async () => {
      await whenClear();
      // Other tabs send, add and discard too.
      refresh();
      return ready().find((send) => send.retry_at <= clock.now());
    };
    try {
      // Other tabs need not wait with this one.
      await whenClear();
      await lock(async () => {
        for (let send = await due(); send; send = await due()) await (underWay = attempt(send));
      });
    } finally {
      isRunning = false;
      const wakeAt = Math.min(...ready().map((send) => send.retry_at));
      // Now and then in any case: the screen says how long it will be. Never at once: what is due has just failed.
      const waitMs = Math.min(30_000, Math.max(backoffMs(0), wakeAt - clock.now()));
      if (wakeAt < Infinity) cancelWake = clock.after(waitMs, () => void run());
    }
  }

  const hasOpen = (test: (send: Send) => boolean) =>
    computed(() => sends.value.some((send) => !send.is_held && test(send)));

  const base = () => ({
    owner: owner(),
    key: newKey(),
    created_at: new Date(clock.now()).toISOString(),
    state: 'sending' as const,
    is_held: false,
    attempts: 0,
    retry_at: 0,
    error: null,
  });

  /** `clearDraft` waits until the send has its key, and goes before it is stored: where storage is short, it makes room. */
  function add<S extends Send>(send: S, clearDraft?: () => void): S {
    clearDraft?.();
    save(send);
    void run();
    return send;
  }

  return {
    sends,
    /**
     * SECURITY: what was written while nobody was signed in, now that somebody is. Nobody sees it, and it is not sent
     * under their session.
     */
    unowned,
    /** Makes such texts theirs who is signed in. */
    adopt(isTheirs: (send: Send) => boolean) {
      const theirs = unowned.peek().filter(isTheirs);
      if (theirs.length === 0) return;
      save(...theirs.map((send) => ({ ...send, owner: owner(), is_declined: false, retry_at: 0 })));
      void run();
    },
    /** They do not want them: what the BFF does not hold waits until nobody is signed in. */
    decline() {
      const [held, waiting] = [true, false].map((is) =>
        unowned.peek().filter(({ is_held }) => is_held === is),
      );
      for (const { key } of held!) storage.remove(nameOf(key));
      save(...waiting!.map((send) => ({ ...send, is_declined: true })));
    },
    /** True while a text that the BFF will soon take is nowhere but in this browser. */
    isOnlyHere: hasOpen(({ state, error }) => state === 'accepted' && error !== 'rate_limited'),
    /** True while one is nowhere but in this page's memory. */
    isUnstored: hasOpen(({ key }) => !storage.isKept(nameOf(key))),
    addTicket: (payload: NewTicket, clearDraft?: () => void) =>
      add<TicketSend>({ ...base(), kind: 'ticket', payload }, clearDraft),
    addMessage: (ticket: MessageSend['ticket'], payload: NewMessage, clearDraft?: () => void) =>
      add<MessageSend>({ ...base(), kind: 'message', ticket, payload }, clearDraft),
    hear,
    find,
    /** After a definite refusal: the same text under a new key; once, whichever tab asks first. */
    resend(send: Send) {
      if (find(send.key)) add({ ...send, ...base() }, () => storage.remove(nameOf(send.key)));
    },
    discard: remove,
    /** Try what waits without regard to its backoff: the network came back, or the customer asked. */
    wake() {
      // What another tab has taken out meanwhile must not come back.
      refresh();
      for (const send of ready()) if (send.error !== 'rate_limited') save({ ...send, retry_at: 0 });
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
