import type {
  Message,
  NewMessage,
  NewTicket,
  Operation,
  TicketSummary,
} from '../../../shared/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import type { Browser } from '../browser/browser.ts';
import { backoffMs } from '../browser/clock.ts';
import {
  type FileUrls,
  type LocalFile,
  type MessageSend,
  nameOf,
  ownerOf,
  readSend,
  readSends,
  type Send,
  ticketOf,
  type TicketSend,
  waitsForFiles,
} from './sends.ts';
import { action, batch, computed, signal } from '@preact/signals';
import { isOutdated, isSame } from '../ticket-list/names.ts';

/** Prefix of the stored keys of refused tickets that a new one has replaced. */
const replacedName = 'over:';

/** What sending needs of the customer, and who gets the result of each attempt. */
interface Sender {
  /**
   * Resolves when sending is allowed. During the exchange of a token it is unknown which customer the sends would
   * belong to.
   */
  whenSettled: () => Promise<void>;
  onTicket: (send: TicketSend, ticket: TicketSummary) => void;
  onMessage: (send: MessageSend, message: Message) => void;
  /** The session of its author has ended; the send waits until they are back. */
  onSessionEnd: () => void;
  /** An anonymous send had no session: resolves once it is known whether somebody is signed in. */
  findOwner: () => Promise<void>;
  onRefused: (send: Send, code: ApiFailure['code'], fields: ApiFailure['fields']) => void;
}

interface OutboxOptions extends Pick<Browser, 'clock' | 'storage' | 'lock' | 'newKey'> {
  api: Api;
  /** The signed-in customer; null for nobody. */
  owner: () => string | null;
}

/**
 * Tickets and messages that the customer has sent and no conversation shows yet. A send is stored before its first
 * request, keeps its key over retries and reloads, and is removed once the BFF shows it.
 */
export function createOutbox({ api, clock, storage, owner, lock, newKey }: OutboxOptions) {
  /** Nothing is sent before it is set. */
  let sender: Sender | null = null;
  let isRunning = false;
  let cancelWake = () => {};
  let lookedAt = -Infinity;
  let underWay = Promise.resolve();
  const readOf = (whose: string | null) => readSends(storage).filter((send) => ownerOf(send) === whose);
  const readUnowned = () => (owner() === null ? [] : readOf(null));
  const readReplaced = () =>
    new Set(storage.names(replacedName).map((name) => name.slice(replacedName.length)));
  const sends = signal<readonly Send[]>(readOf(owner()));
  const unowned = signal<readonly Send[]>(readUnowned());
  const hasUnstored = () => sends.peek().some(({ is_held, key }) => !is_held && !storage.isKept(nameOf(key)));
  const isUnstored = signal(hasUnstored());
  const replaced = signal<ReadonlySet<string>>(readReplaced());
  const urls = signal<FileUrls>({});

  const refresh = action(() => {
    sends.value = readOf(owner());
    unowned.value = readUnowned();
    isUnstored.value = hasUnstored();
    replaced.value = readReplaced();
  });

  /** Reads storage, since other tabs send, add and discard too. */
  const find = (key: string | null) => readOf(owner()).find((send) => send.key === key);

  function save(...changed: Send[]) {
    for (const send of changed) storage.write(nameOf(send.key), send);
    refresh();
  }

  /** Applies the BFF's state of a send; the BFF then has it. Answers and events may come in any order. */
  function applyState(key: string, update: Pick<Operation, 'state' | 'error'>) {
    const send = readSend(storage, key);
    if (!send || (send.is_held && isOutdated(send, update))) return;
    const { state, error = null } = update;
    save({ ...send, is_held: true, state, error });
  }

  /** Changes a send, unless the BFF has it already. */
  function change(key: string, patch: Partial<Send>) {
    const send = find(key);
    if (send?.is_held === false) save({ ...send, ...patch } as Send);
    void run();
  }

  function remove(key: string) {
    storage.remove(nameOf(key));
    refresh();
  }

  /** The oldest open send of each conversation, so that its messages stay in order. */
  function ready(): Send[] {
    const open = sends.peek().filter((send) => send.state !== 'rejected' && !send.is_held);
    const isHead = (send: Send) => open.find((other) => isSame(ticketOf(other), ticketOf(send))) === send;
    return open.filter((send) => isHead(send) && !waitsForFiles(send));
  }

  /** Makes sends due now. One that another tab has removed must not be stored again. */
  function makeDue(isMeant = (_send: Send): boolean => true) {
    refresh();
    for (const send of ready().filter(isMeant)) save({ ...send, retry_at: 0 });
  }

  async function attempt(send: Send, handlers: Sender) {
    const result =
      send.kind === 'ticket'
        ? await api.createTicket(send.key, send.payload, ownerOf(send))
        : await api.reply(send.ticket.id ?? send.ticket.key!, send.key, send.payload, ownerOf(send));
    if (!result.ok) {
      const { retryable, code: error, retryAfterSec } = result.error;
      const isOver = error === 'unauthenticated';
      if (isOver && ownerOf(send) === null) await handlers.findOwner();
      // An event or another tab may have updated it meanwhile.
      const known = readSend(storage, send.key);
      if (known?.is_held !== false) return;
      const { files: ids } = send.payload;
      if (result.error.fields['files'] && ids && !send.refused_ids)
        return change(send.key, {
          payload: { ...send.payload, files: undefined } as never,
          refused_ids: ids,
        });
      const attempts = send.attempts + 1;
      const waitMs = Math.max(backoffMs(attempts), retryAfterSec * 1000);
      const waits = retryable || (isOver && Boolean(ownerOf(send) ?? owner()));
      const state = waits ? 'accepted' : 'rejected';
      batch(() => {
        save({ ...known, state, attempts, error, retry_at: clock.now() + waitMs });
        if (isOver && ownerOf(send)) handlers.onSessionEnd();
        else if (!waits) handlers.onRefused(send, error, result.error.fields);
      });
    } else onTaken(send, result.value, handlers);
  }

  const onTaken = action((send: Send, answer: TicketSummary | Message, handlers: Sender) => {
    // The text stays stored until the conversation shows it.
    applyState(send.key, answer);
    if (ownerOf(send) !== owner()) return;
    if (send.kind === 'ticket') handlers.onTicket(send, answer as TicketSummary);
    else handlers.onMessage(send, answer as Message);
  });

  /** Sends what is due, one after the other, until the BFF has it or refuses it for good. */
  async function run() {
    if (isRunning || !sender) return;
    const handlers = sender;
    isRunning = true;
    cancelWake();
    // Before the clock was set back it was ahead, and so are times to retry.
    if (clock.now() < lookedAt) makeDue();
    lookedAt = clock.now();
    const due = async () => {
      await handlers.whenSettled();
      refresh();
      return ready().find((send) => send.retry_at <= clock.now());
    };
    try {
      // Before the lock, so that other tabs can send meanwhile.
      await handlers.whenSettled();
      await lock(async () => {
        for (let send = await due(); send; send = await due()) await (underWay = attempt(send, handlers));
      });
    } finally {
      isRunning = false;
      const wakeAt = Math.min(...ready().map((send) => send.retry_at));
      // At least every 30 s, since the screen shows the time left. Never at once: what is due has just failed.
      const waitMs = Math.min(30_000, Math.max(backoffMs(0), wakeAt - clock.now()));
      if (wakeAt < Infinity) cancelWake = clock.after(waitMs, () => void run());
    }
  }

  /** Sends are in the order of their times, also when the clock is set back. */
  const newTime = () => Math.max(clock.now(), Date.parse(sends.peek().at(-1)?.created_at ?? '') + 1 || 0);

  const base = () => ({
    owner: owner(),
    key: newKey(),
    created_at: new Date(newTime()).toISOString(),
    state: 'sending' as const,
    is_held: false,
    attempts: 0,
    retry_at: 0,
    error: null,
  });

  /** Clears the draft before it stores the send: where storage is almost full, that makes room for it. */
  function add<S extends Send>(send: S, clearDraft?: () => void): S {
    clearDraft?.();
    save(send);
    void run();
    return send;
  }

  return {
    sends,
    /**
     * Sends that were written while nobody was signed in, when somebody is now. SECURITY: they are not shown, and not
     * sent under that customer's session.
     */
    unowned,
    /** Gives unowned sends to the signed-in customer, and sends them. */
    adopt: action((isTheirs: (send: Send) => boolean) => {
      const theirs = unowned.peek().filter(isTheirs);
      if (theirs.length === 0) return;
      save(...theirs.map((send) => ({ ...send, owner: owner(), is_declined: false, retry_at: 0 })));
      void run();
    }),
    /** The customer does not want them: those that the BFF does not have wait until nobody is signed in. */
    decline: action(() => {
      const all = unowned.peek();
      for (const { is_held, key } of all) if (is_held) storage.remove(nameOf(key));
      save(...all.filter(({ is_held }) => !is_held).map((send) => ({ ...send, is_declined: true })));
    }),
    /** True while a send that will be retried is in this browser only. */
    isOnlyHere: computed(() =>
      sends.value.some(
        ({ is_held, state, error }) => !is_held && state === 'accepted' && error !== 'rate_limited',
      ),
    ),
    /** True while a send is in this page's memory only. */
    isUnstored,
    /** The operator takes no files any more: sends that wait for theirs can be sent again without them. */
    refuseFiles: action(() => {
      for (const { files, ...send } of sends.peek().filter(waitsForFiles))
        save({ ...send, state: 'rejected', error: 'unsupported_media_type' });
    }),
    /** Keys of refused tickets that a new one has replaced. */
    replaced,
    urls,
    markReplaced(key: string) {
      storage.write(replacedName + key, true);
      refresh();
    },
    addTicket: (payload: NewTicket, clearDraft?: () => void, files?: readonly LocalFile[]) =>
      add<TicketSend>({ ...base(), kind: 'ticket', payload, files }, clearDraft),
    addMessage: (
      ticket: MessageSend['ticket'],
      payload: NewMessage,
      clearDraft?: () => void,
      files?: readonly LocalFile[],
    ) => add<MessageSend>({ ...base(), kind: 'message', ticket, payload, files }, clearDraft),
    change,
    applyState,
    find,
    /** Sends a refused text again under a new key; only once, even when two tabs ask. */
    resend(send: Send) {
      // The BFF may not have its files any more.
      const payload = { ...send.payload, files: undefined } as never;
      if (find(send.key)) add({ ...send, ...base(), payload }, () => storage.remove(nameOf(send.key)));
    },
    discard: remove,
    /** Retries now instead of after the backoff, except under a rate limit: the network or the page has come back. */
    wake: action(() => {
      makeDue(({ error }) => error !== 'rate_limited');
      void run();
    }),
    /** To be called before anything can be sent. */
    setSender(given: Sender) {
      sender = given;
    },
    /** Sends what is due. Waits while another tab sends. */
    run: () => void run(),
    /** Resolves when the current attempt has ended. */
    idle: () => underWay,
    refresh,
  };
}

export type OutboxModel = ReturnType<typeof createOutbox>;
