import type { Api } from '../api/client.ts';
import { batch, computed, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { SessionModel } from '../customer/session.ts';
import type { SyncModel } from '../live/sync.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import type { ViewModel } from '../view.ts';

interface LoadingOptions {
  api: Pick<Api, 'ticket' | 'tickets'>;
  session: SessionModel;
  tickets: TicketsModel;
  sync: Pick<SyncModel, 'putThread' | 'putTickets'>;
  view: ViewModel;
  /** The id or key of the conversation on screen; null if the BFF does not have it. */
  viewedName: ReadonlySignal<string | null>;
  loadSession: () => void;
}

/** How many of the oldest known messages may be gone at the service before earlier ones cannot be loaded. */
const maxGone = 10;

/** Reads by plain requests what the stream does not bring: the list at need, and conversations page by page. */
export function createLoading(options: LoadingOptions) {
  const { api, session, tickets, sync, view, viewedName, loadSession } = options;
  /** The conversation whose read is in flight. */
  let reading: string | null = null;
  let opened: string | null = null;
  /** The conversation whose first read since it came on screen has ended. */
  const ready = signal<string | null>(null);

  async function load(name: string) {
    reading = name;
    tickets.threadFailure.value = null;
    const since = tickets.moment();
    const result = await api.ticket(name);
    if (reading === name) reading = null;
    batch(() => {
      if (result.ok) sync.putThread(result.value, since);
      else tickets.threadFailure.value = result.error;
      if (name === opened) ready.value = name;
    });
  }

  const isOpening = computed(() => viewedName.value !== ready.value);

  return {
    /** True until the conversation on screen has been read, or could not be. */
    isOpening,
    /**
     * This browser does not have the conversation on screen. It may be from before the sign-in, claimed by its owner, or
     * from a mail's link on a new device.
     */
    isGone: computed(() => {
      const { ref } = view.current.value;
      if (ref === undefined || session.isWaiting.value || isOpening.value || tickets.thread(ref))
        return false;
      const code = tickets.threadFailure.value?.code;
      return code === 'not_found' || (code === 'unauthenticated' && !session.isUsed.value);
    }),
    /** Reads all that the stream would bring. Resolves to false when the list could not be read. */
    async refresh(): Promise<boolean> {
      const name = viewedName.peek();
      const read = name === null ? null : load(name);
      if (!session.current.peek()) loadSession();
      const since = tickets.moment();
      const result = await api.tickets();
      if (result.ok) sync.putTickets(result.value, since);
      else tickets.listFailure.value = result.error;
      await read;
      return result.ok;
    },
    /** An effect: reads a conversation when it comes on screen. */
    open() {
      const name = viewedName.value;
      if (name === opened) return;
      opened = name;
      ready.value = null;
      if (name !== null) untracked(() => void load(name));
    },
    /** Reads it again, unless a read is in flight; `isMissing`: only if no read has succeeded yet. */
    again({ isMissing = false } = {}) {
      const name = viewedName.peek();
      if (name === null || name === reading || (isMissing && tickets.thread(name)?.read_at)) return;
      void load(name);
    },
    /** Reads the page before the oldest known message of the conversation on screen. False when that fails. */
    async loadEarlier(): Promise<boolean> {
      const name = viewedName.peek() ?? '';
      for (const { id, key } of tickets.thread(name)?.messages.slice(0, maxGone) ?? []) {
        const since = tickets.moment();
        const result = await api.ticket(name, id ?? key);
        // The service could not be read; the answer has only the messages that the BFF itself has.
        if (!result.ok || result.value.read_at === null) return false;
        // Without `before`, the answer is the newest page: this message was removed at the service. Try the next one.
        if (result.value.before !== null) return sync.putThread(result.value, since);
      }
      return false;
    },
  };
}

export type LoadingModel = ReturnType<typeof createLoading>;
