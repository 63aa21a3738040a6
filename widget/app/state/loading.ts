import type { Api } from '../api/client.ts';
import type { ReadonlySignal } from './signal.ts';
import { computed, signal, untracked } from './signal.ts';
import type { SyncModel } from './sync.ts';
import type { TicketsModel } from './tickets.ts';

interface LoadingOptions {
  api: Pick<Api, 'ticket'>;
  tickets: TicketsModel;
  sync: Pick<SyncModel, 'putThread'>;
  /** By what the BFF knows the conversation on screen, if it does. */
  name: ReadonlySignal<string | null>;
}

/** As many of the oldest messages here may be removed at the service before nothing earlier can be had. */
const maxGone = 10;

/** Reads conversations, by pages. */
export function createLoading({ api, tickets, sync, name: onScreen }: LoadingOptions) {
  /** The conversation that is being read. */
  let asked: string | null = null;
  let opened: string | null = null;
  /** The conversation whose first read since it is on screen has ended. */
  const ready = signal<string | null>(null);

  async function load(name: string) {
    asked = name;
    tickets.threadFailure.value = null;
    const since = tickets.moment();
    const result = await api.ticket(name);
    if (asked === name) asked = null;
    if (result.ok) sync.putThread(result.value, since);
    else tickets.threadFailure.value = result.error;
    if (name === opened) ready.value = name;
  }

  return {
    /** True until the conversation on screen has been read, or could not be. */
    isOpening: computed(() => onScreen.value !== ready.value),
    load,
    /** Reads the conversation on screen when it has just come there. */
    open() {
      const name = onScreen.value;
      if (name === opened) return;
      opened = name;
      ready.value = null;
      if (name !== null) untracked(() => void load(name));
    },
    /** Reads it again, unless that is under way; `isMissing`: only when no read has succeeded. */
    again({ isMissing = false } = {}) {
      const name = onScreen.peek();
      if (name === null || name === asked || (isMissing && tickets.thread(name)?.read_at)) return;
      void load(name);
    },
    /** Reads the page before what is here of the conversation on screen. False when that has failed. */
    async loadEarlier(): Promise<boolean> {
      const name = onScreen.peek() ?? '';
      for (const { id, key } of tickets.thread(name)?.messages.slice(0, maxGone) ?? []) {
        const since = tickets.moment();
        const result = await api.ticket(name, id ?? key);
        // The few messages that are known without the service bring it no further.
        if (!result.ok || result.value.read_at === null) return false;
        // Nor does the newest page: this message has been removed meanwhile, and the next one may be there.
        if (result.value.before !== null) return sync.putThread(result.value, since);
      }
      return false;
    },
  };
}
