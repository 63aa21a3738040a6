import { action, computed, effect } from '@preact/signals';
import type { TicketSummary } from '../../bff/contract/tickets.ts';
import type { WidgetEvent } from '../bridge/messages.ts';
import type { Api } from './api/client.ts';
import type { Clock } from './browser/clock.ts';
import { createNow } from './browser/now.ts';
import type { Store } from './browser/storage.ts';
import type { Core } from './core.ts';
import type { LoadAccount } from './customer/account.ts';
import { createCustomer } from './customer/customer.ts';
import { createFollow } from './live/follow.ts';
import { createLive, type JoinTabs } from './live/live.ts';
import { createPresence } from './live/presence.ts';
import { createStale } from './live/stale.ts';
import { createSync } from './live/sync.ts';
import { introduceCustomer } from './new-ticket/introduce-customer.ts';
import { createArrival } from './notifications/arrival.ts';
import { adoptOwnTexts } from './outbox/adopt.ts';
import { createSending } from './outbox/sending.ts';
import { createLoading } from './thread/loading.ts';
import { createReadMarks } from './thread/read-marks.ts';
import { createViewed } from './thread/viewed.ts';
import { createHome } from './ticket-list/home.ts';
import { createRefresh } from './ticket-list/refresh.ts';
import { showTickets } from './ticket-list/ticket-list.ts';
import { createTickets } from './ticket-list/tickets.ts';
import { createUnread } from './ticket-list/unread.ts';

export interface SupportOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  /** Finds the other tabs that the customer has open here. */
  join: JoinTabs;
  newKey: () => string;
  loadAccount: LoadAccount;
  /** The page has called `identify` already, and its token is on its way. */
  isExpected: boolean;
  /** Events for the host page. */
  onEvent: (event: WidgetEvent) => void;
  /** An agent has answered; told in one tab only. */
  onArrival: (ticket: TicketSummary) => void;
  /** Asks the host page to identify its customer anew. */
  askForToken: () => void;
}

/** Every model, joined to those of the core; no views. `start` sets it going. */
export function createSupport(core: Core, options: SupportOptions) {
  const { api, clock, storage } = options;
  const { view, isOpen, isForm, session, drafts, newTicket, outbox } = core;
  const presence = createPresence({ clock, onHide: () => drafts.flush(), onReturn: wake });
  const isOnScreen = () => isOpen.value && presence.isVisible.value && !session.isWaiting.value;
  const onSessionEnd = (isSignedOut?: boolean) => void customer.onSessionEnd(isSignedOut);

  const tickets = createTickets();
  const list = computed(() => showTickets(tickets.list.value, outbox.sends.value, outbox.replaced.value));
  const { viewed, viewedId, viewedName, messages } = createViewed({ session, tickets, outbox, view, list });
  const models = { session, tickets, outbox, drafts, newTicket, view, isForm, list, viewed };
  const readMarks = createReadMarks({ api, tickets, view });

  const isLeading = () => live.isLeading();
  const sync = createSync({
    ...models,
    onArrival: createArrival({ ...options, tickets, isOpen, viewedId, isLeading }),
    onUnreadable: () => loading.again({ isMissing: true }),
    onGap: () => loading.again(),
    onSessionEnd,
  });
  const loading = createLoading({ api, tickets, sync, name: viewedName });
  const loadSession = () => customer.load();
  const refresh = createRefresh({ ...models, api, sync, loading, viewedName, loadSession });
  const sending = createSending({
    ...options,
    ...models,
    sync,
    isOnScreen,
    refresh: () => void refresh(),
    onSessionEnd,
    findOwner: () => customer.findOwner(),
  });

  const { begin, snapshot, follow } = createFollow({ ...models, loading, presence, viewedId, isOpen });
  const live = createLive({
    ...options,
    onEvent: sync.apply,
    begin,
    snapshot,
    poll: refresh,
    onUnauthenticated: onSessionEnd,
  });
  const isCurrent = computed(
    () => presence.isOnline.value && !live.isLate.value && sync.isFresh.value && tickets.isLoaded.value,
  );
  const stale = createStale(clock, isCurrent);

  const customer = createCustomer({ ...options, ...models, sending, live, isOnScreen });
  const home = createHome({ ...models, customer });
  const unread = createUnread(session, tickets);
  const diagnose = async () => (await import('./live/diagnose.ts')).diagnose({ api, storage, live });

  /** The network or the page is back: nothing sits out its backoff. */
  function wake() {
    customer.identity.wake();
    live.wake();
    outbox.wake();
  }

  return {
    ...core,
    ...models,
    ...presence,
    live,
    sending,
    customer,
    viewedId,
    messages,
    isAtEnd: readMarks.isAtEnd,
    firstNew: readMarks.firstNew,
    loadEarlier: loading.loadEarlier,
    now: createNow(clock),
    isFresh: sync.isFresh,
    staleSince: stale.since,
    unread,
    refresh,
    start: action(() => {
      effect(loading.open);
      effect(() => follow(live));
      effect(stale.follow);
      effect(() => introduceCustomer(models));
      effect(() => adoptOwnTexts(models));
      effect(readMarks.onViewChange);
      effect(() => customer.onViewChange(view.current.value));
      effect(() => readMarks.look(viewedId.value, isOnScreen() && !loading.isOpening.value));
      effect(sending.moveRejectedToForm);
      outbox.run();
      // With a session the stream's first event tells who this is: one request, not two.
      if (!session.isUsed.peek() || customer.identity.isUnknown()) void customer.load();
      customer.identity.start();
      // What has come meanwhile, a token say, is newer than what was expected at the start.
      core.join({ home, unread, customer, sending, diagnose });
    }),
    /** Another tab changed what is stored: one that has died leaves its sends to this one. */
    onOtherTab: action(() => {
      outbox.refresh();
      customer.onOtherTab();
      outbox.run();
    }),
  };
}

export type Support = ReturnType<typeof createSupport>;
