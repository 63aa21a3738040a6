import type { Api } from '../api/client.ts';
import type { ReadonlySignal } from '@preact/signals';
import { batch, computed, signal, untracked } from '@preact/signals';
import type { SyncModel } from '../live/sync.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';

interface LoadingOptions {
  api: Pick<Api, 'ticket'>;
  tickets: TicketsModel;
  sync: Pick<SyncModel, 'putThread'>;
  /** The id or key of the conversation on screen; null if the BFF does not have it. */
  name: ReadonlySignal<string | null>;
}

/** How many of the oldest known messages may be gone at the service before earlier ones cannot be loaded. */
const maxGone = 10;

/** Reads conversations page by page. */
export function createLoading({ api, tickets, sync, name: onScreen }: LoadingOptions) {
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

  return {
    /** True until the conversation on screen has been read, or could not be. */
    isOpening: computed(() => onScreen.value !== ready.value),
    load,
    /** An effect: reads a conversation when it comes on screen. */
    open() {
      const name = onScreen.value;
      if (name === opened) return;
      opened = name;
      ready.value = null;
      if (name !== null) untracked(() => void load(name));
    },
    /** Reads it again, unless a read is in flight; `isMissing`: only if no read has succeeded yet. */
    again({ isMissing = false } = {}) {
      const name = onScreen.peek();
      if (name === null || name === reading || (isMissing && tickets.thread(name)?.read_at)) return;
      void load(name);
    },
    /** Reads the page before the oldest known message of the conversation on screen. False when that fails. */
    async loadEarlier(): Promise<boolean> {
      const name = onScreen.peek() ?? '';
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
