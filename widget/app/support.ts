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
import { reportArrival } from './notifications/arrival.ts';
import type { Lock } from './outbox/outbox.ts';
import { createSending } from './outbox/sending.ts';
import { createLoading } from './thread/loading.ts';
import { createReadMarks } from './thread/read-marks.ts';
import { createViewed } from './thread/viewed.ts';
import { createHome } from './ticket-list/home.ts';
import { createShowUnread } from './ticket-list/show-unread.ts';
import { showTickets } from './ticket-list/ticket-list.ts';
import { createTickets } from './ticket-list/tickets.ts';

export interface SupportOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  lock: Lock;
  /** Finds the other tabs that the customer has open here. */
  join: JoinTabs;
  newKey: () => string;
  loadAccount: LoadAccount;
  /** The page has called `identify` already, and its token is on its way. */
  isExpected: boolean;
  /** Events for the host page. */
  onEvent: (event: WidgetEvent) => void;
  /** An agent has answered; called in one tab only. */
  onArrival: (ticket: TicketSummary) => void;
  /** Asks the host page to identify its customer anew. */
  askForToken: () => void;
}

/** All models, connected to those of the core; no views. `start` starts them. */
export function createSupport(core: Core, options: SupportOptions) {
  const { clock } = options;
  const { view, isOpen, session, drafts, outbox } = core;
  const presence = createPresence({ clock, onHide: () => drafts.flush(), onReturn: wake });
  const isOnScreen = () => isOpen.value && presence.isVisible.value && !session.isWaiting.value;
  const onSessionEnd = (isSignedOut?: boolean) => void customer.onSessionEnd(isSignedOut);

  const tickets = createTickets();
  const list = computed(() => showTickets(tickets.list.value, outbox.sends.value, outbox.replaced.value));
  const viewing = createViewed({ ...core, tickets, list });
  const { viewedId } = viewing;
  /** Dependencies of several models. */
  const models = { ...core, ...options, ...presence, ...viewing, tickets, list, isOnScreen, onSessionEnd };
  const readMarks = createReadMarks(models);

  const sync = createSync({
    ...models,
    onArrival: (ticket) => reportArrival({ ...models, live }, ticket),
    onUnreadable: () => loading.again({ isMissing: true }),
    onGap: () => loading.again(),
  });
  const loading = createLoading({ ...models, sync, loadSession: () => void customer.load() });
  const { refresh } = loading;
  /**
   * This browser does not have the conversation on screen. It may be from before the sign-in, claimed by its owner, or
   * from a mail's link on a new device.
   */
  const isGone = computed(() => {
    const { ref } = view.current.value;
    if (ref === undefined || session.isWaiting.value || loading.isOpening.value || tickets.thread(ref))
      return false;
    const code = tickets.threadFailure.value?.code;
    return code === 'not_found' || (code === 'unauthenticated' && !session.isUsed.value);
  });
  const sending = createSending({
    ...models,
    sync,
    refresh,
    findOwner: () => customer.findOwner(),
  });

  const following = createFollow({ ...models, loading });
  const live = createLive({
    ...options,
    ...following,
    onEvent: sync.apply,
    poll: refresh,
    onUnauthenticated: onSessionEnd,
  });
  const stale = createStale(clock);
  const isCurrent = () =>
    presence.isOnline.value && !live.isLate.value && sync.isFresh.value && tickets.isLoaded.value;

  const customer = createCustomer({ ...models, sending, live, isGone });
  const { home, unread } = createHome({ ...models, customer });
  const { showUnread, goToUnread } = createShowUnread(models);
  const diagnose = async () => (await import('./live/diagnose.ts')).diagnose({ ...options, live });

  /** The network or the page is back: every retry begins at once. */
  function wake() {
    customer.identity.wake();
    live.wake();
    outbox.wake();
  }

  return {
    ...core,
    ...presence,
    ...viewing,
    tickets,
    list,
    live,
    sending,
    customer,
    isGone,
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
      effect(() => following.follow(live));
      effect(() => stale.update(isCurrent()));
      effect(customer.introduce);
      effect(goToUnread);
      effect(customer.adoptOwnTexts);
      effect(readMarks.onViewChange);
      effect(() => customer.onViewChange(view.current.value));
      effect(() => readMarks.update(viewedId.value, isOnScreen() && !loading.isOpening.value));
      effect(sending.moveRejectedToForm);
      outbox.run();
      // With a session, the first event of the stream names the customer, which saves a request.
      if (!session.isUsed.peek() || customer.identity.isUnknown()) void customer.load();
      customer.identity.start();
      // Last, because what the core passes on now, such as a token, is newer than what was expected at the start.
      core.join({ home, unread, showUnread, customer, sending, diagnose });
    }),
    /** Another tab has changed what is stored. This tab sends what a tab that was closed has left. */
    onOtherTab: action(() => {
      outbox.refresh();
      customer.onOtherTab();
      outbox.run();
    }),
  };
}

export type Support = ReturnType<typeof createSupport>;
