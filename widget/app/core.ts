import { action, computed, signal } from '@preact/signals';
import type { Diagnosis } from '../bridge/messages.ts';
import type { Api } from './api/client.ts';
import type { Store } from './browser/storage.ts';
import type { Clock } from './browser/clock.ts';
import type { CustomerModel } from './customer/customer.ts';
import { createDrafts } from './new-ticket/drafts.ts';
import { createNewTicket } from './new-ticket/new-ticket.ts';
import type { Lock } from './outbox/outbox.ts';
import { createOutbox } from './outbox/outbox.ts';
import type { SendingModel } from './outbox/sending.ts';
import { createSession } from './customer/session.ts';
import { createView } from './view.ts';

export interface CoreOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  lock: Lock;
  newKey: () => string;
  /** Where the customer is, for the agents. */
  pageUrl: () => string | undefined;
  isEmbedded: boolean;
  /** The page has called `identify` already, and its token is on its way. */
  isExpected: boolean;
}

export type Home = 'form' | 'loading' | 'tickets';

/** The models of the second script that the core uses. */
export interface Joined {
  home: { value: Home };
  unread: { value: number };
  showUnread: (isAgain: boolean) => void;
  customer: CustomerModel;
  sending: SendingModel;
  diagnose: () => Promise<Diagnosis>;
}

/** The models of the first script: all that is needed to write a ticket and send it. */
export function createCore(options: CoreOptions) {
  const { clock, storage, pageUrl, isEmbedded, isExpected } = options;
  const joined = signal<Joined | null>(null);
  const waiting: ((models: Joined) => void)[] = [];

  /** Runs now, or as soon as the second script is loaded. */
  function whenJoined(run: (models: Joined) => void) {
    const models = joined.peek();
    if (models) run(models);
    else waiting.push(run);
  }
  const ask = <T>(question: (models: Joined) => Promise<T>) =>
    new Promise<T>((resolve) => whenJoined((models) => resolve(question(models))));

  const view = createView();
  /** Whether the host page shows the panel; a full page always does. */
  const isOpen = signal(!isEmbedded);
  const session = createSession(storage, isExpected, (owner, last) =>
    whenJoined(({ customer }) => customer.changeOwner(owner, last)),
  );
  const owner = () => session.owner.peek() ?? null;
  const drafts = createDrafts(storage, clock, owner());
  const newTicket = createNewTicket(drafts);
  const outbox = createOutbox({
    ...options,
    owner,
    whenSettled: async () => {
      const models = joined.peek();
      if (models) await models.customer.identity.whenSettled();
      else if (session.isPending.peek()) await ask(({ customer }) => customer.identity.whenSettled());
    },
    tell: (run) => whenJoined(({ sending }) => run(sending)),
  });

  /** What the start view shows: the form, when there are no tickets and none to add. */
  const home = computed<Home>(() => joined.value?.home.value ?? (session.isUsed.value ? 'loading' : 'form'));

  return {
    view,
    home,
    /** Whether the form of a new ticket is on screen, as far as the view decides that. */
    isForm: computed(() => {
      const { name } = view.current.value;
      return name === 'new' || (name === 'start' && home.value === 'form');
    }),
    isOpen,
    session,
    drafts,
    newTicket,
    outbox,
    joined,
    whenJoined,
    /** Renews an ended session; true when it was renewed for the same customer. */
    renew: () => ask(({ customer }) => customer.identity.renew()),
    join: action((models: Joined) => {
      joined.value = models;
      for (const run of waiting.splice(0)) run(models);
    }),
    /** Sends the form when it is valid; else shows its errors and focuses them. `website`: the hidden field for bots. */
    submitTicket: action((website?: string) => {
      const payload = newTicket.check(pageUrl(), website);
      if (payload) {
        const ref = outbox.addTicket(payload, newTicket.clear).key;
        view.go({ name: 'thread', ref });
      } else view.moves.value += 1;
    }),
  };
}

export type Core = ReturnType<typeof createCore>;
