import type { Message, Operation, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import type { Store } from '../browser/storage.ts';
import type { Clock } from '../browser/clock.ts';
import type { Lock } from '../browser/page.ts';
import { backoffMs } from '../browser/clock.ts';
import type { MessageSend, Send, TicketSend } from './sends.ts';
import { ownerOf, readSend } from './sends.ts';
import { action, batch } from '@preact/signals';

export interface Sender {
  /**
   * Resolves when sending is allowed. During the exchange of a token it is unknown which customer the sends would
   * belong to.
   */
  whenSettled: () => Promise<void>;
  /** Get the result of each attempt. */
  handlers: AttemptHandlers;
}

interface AttemptHandlers {
  onTicket: (send: TicketSend, ticket: TicketSummary) => void;
  onMessage: (send: MessageSend, message: Message) => void;
  /** The session of its author has ended; the send waits until they are back. */
  onSessionEnd: () => void;
  /** An anonymous send had no session: resolves once it is known whether somebody is signed in. */
  findOwner: () => Promise<void>;
  onRefused: (send: Send, code: ApiFailure['code'], fields: ApiFailure['fields']) => void;
}

interface AttemptsOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  owner: () => string | null;
  lock: Lock;
  /** Reads what is stored, since other tabs change it too. */
  refresh: () => void;
  /** What can be sent, as last read: the oldest open send of each conversation. */
  ready: () => readonly Send[];
  save: (send: Send) => void;
  change: (key: string, patch: Partial<Send>) => void;
  applyState: (key: string, update: Pick<Operation, 'state' | 'error'>) => void;
}

/**
 * Sends what is due, one after the other, until the BFF has it or refuses it for good. It stores nothing itself, and knows no
 * tickets.
 */
export function createAttempts(options: AttemptsOptions) {
  const { api, clock, storage, owner, lock, refresh, ready, save, change, applyState } = options;
  /** Nothing is sent before it is set. */
  let sender: Sender | null = null;
  let isRunning = false;
  let cancelWake = () => {};
  let underWay = Promise.resolve();

  async function attempt(send: Send, handlers: AttemptHandlers) {
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

  const onTaken = action((send: Send, answer: TicketSummary | Message, handlers: AttemptHandlers) => {
    // The text stays stored until the conversation shows it.
    applyState(send.key, answer);
    if (ownerOf(send) !== owner()) return;
    if (send.kind === 'ticket') handlers.onTicket(send, answer as TicketSummary);
    else handlers.onMessage(send, answer as Message);
  });

  async function run() {
    if (isRunning || !sender) return;
    const { whenSettled, handlers } = sender;
    isRunning = true;
    cancelWake();
    const due = async () => {
      await whenSettled();
      refresh();
      return ready().find((send) => send.retry_at <= clock.now());
    };
    try {
      // Before the lock, so that other tabs can send meanwhile.
      await whenSettled();
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

  return {
    /** To be called before anything can be sent. */
    setSender(given: Sender) {
      sender = given;
    },
    /** Sends what is due. Waits while another tab sends. */
    run: () => void run(),
    /** Resolves when the current attempt has ended. */
    idle: () => underWay,
  };
}
