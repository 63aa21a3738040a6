import { action, computed, effect, signal } from '@preact/signals';
import type { TicketSummary } from '../../shared/contract/tickets.ts';
import type { WidgetEvent } from '../bridge/messages.ts';
import type { Browser } from './browser/browser.ts';
import { createNow } from './browser/clock.ts';
import { createCustomer } from './customer/customer.ts';
import { createSession } from './customer/session.ts';
import { createFollow } from './live/follow.ts';
import { createLive } from './live/live.ts';
import { createPresence, createStale } from './live/presence.ts';
import { createSync } from './live/sync.ts';
import { createDrafts } from './new-ticket/drafts.ts';
import { createNewTicket } from './new-ticket/new-ticket.ts';
import { createOutbox } from './outbox/outbox.ts';
import { createSending } from './outbox/sending.ts';
import { adoptOwnTexts } from './outbox/unowned.ts';
import { createLoading } from './thread/loading.ts';
import { createReadMarks } from './thread/read-marks.ts';
import { createViewed } from './thread/viewed.ts';
import { createHome, createShowUnread } from './ticket-list/home.ts';
import { createTickets, showTickets } from './ticket-list/tickets.ts';
import { createView } from './view.ts';
import { createWidth } from './width.ts';

export interface ModelOptions {
  browser: Browser;
  /** Where the customer is, for the agents. */
  pageUrl: () => string | undefined;
  /** The app is in a frame of a host page, which opens and closes the panel. */
  isEmbedded: boolean;
  /** The page has called `identify` already, and its token is on its way. */
  isExpected: boolean;
  /** Events for the host page. */
  onEvent: (event: WidgetEvent) => void;
  /** An agent has answered; called in one tab only. */
  onArrival: (ticket: TicketSummary) => void;
  /** Asks the host page to identify its customer anew. */
  askForToken: () => void;
}

/**
 * All models of the app, each made of those above it; `start` starts them. They know neither views nor the host page. What
 * must happen after an answer of the BFF or of another tab is passed as a function, since it may need a model further down.
 */
export function createModels(options: ModelOptions) {
  const { browser, isEmbedded, onArrival, onEvent } = options;
  const { clock, storage } = browser;

  // What is on screen, and whose it is.
  const view = createView();
  /** Whether the host page shows the panel; a full page always does. */
  const isOpen = signal(!isEmbedded);
  const session = createSession({
    ...browser,
    ...options,
    onOwner: (next, last) => customer.changeOwner(next, last),
  });
  const owner = () => session.owner.peek() ?? null;
  const api = browser.connect({ owner, renew: () => customer.identity.renew() });
  const onSessionEnd = (isSignedOut?: boolean) => void customer.onSessionEnd(isSignedOut);

  // What the customer writes and has sent, and their tickets.
  const drafts = createDrafts(storage, clock, owner());
  const newTicket = createNewTicket(drafts);
  const outbox = createOutbox({ ...browser, api, owner });
  const tickets = createTickets();
  const list = computed(() => showTickets(tickets.list.value, outbox.sends.value, outbox.replaced.value));

  const presence = createPresence({ clock, onHide: drafts.flush, onReturn: wake });
  const isOnScreen = () => isOpen.value && presence.isVisible.value && !session.isWaiting.value;
  const base = {
    ...browser,
    ...options,
    api,
    view,
    isOpen,
    isOnScreen,
    session,
    drafts,
    newTicket,
    outbox,
    tickets,
    list,
  };

  // The ticket whose conversation is on screen.
  const shown = createViewed(base);
  const { viewed, viewedId } = shown;
  const readMarks = createReadMarks(base);
  const sync = createSync({
    ...base,
    onArrival: reportArrival,
    onUnreadable: () => loading.again({ isMissing: true }),
    onGap: () => loading.again(),
    onSessionEnd,
  });
  const loading = createLoading({ ...base, ...shown, sync, loadSession: () => void customer.load() });
  const { refresh, isGone } = loading;

  // What follows a "Send", and how answers arrive.
  const sending = createSending({
    ...base,
    sync,
    viewed,
    refresh,
    whenSettled: () => customer.identity.whenSettled(),
  });
  const following = createFollow({ ...base, ...presence, loading, viewedId });
  const live = createLive({
    ...base,
    ...following,
    onEvent: sync.apply,
    poll: refresh,
    onUnauthenticated: onSessionEnd,
  });
  const stale = createStale(clock);
  const isCurrent = () =>
    presence.isOnline.value && !live.isLate.value && sync.isFresh.value && tickets.isLoaded.value;

  // The customer, who may change.
  const customer = createCustomer({
    ...base,
    viewed,
    isGone,
    isFormOnScreen: () => home.isForm.peek() && isOnScreen(),
    sending,
    live,
  });
  const home = createHome({ ...base, customer });
  const { showUnread, goToUnread } = createShowUnread(base);

  /** An agent has answered. */
  function reportArrival(ticket: TicketSummary) {
    if (isOpen.peek())
      (ticket.id === viewedId.peek() ? tickets.arrivedHere : tickets.arrivedElsewhere).value = ticket;
    // In the leader tab only, so that the customer is notified once.
    if (live.isLeading()) onArrival(ticket);
    onEvent({ name: 'message-received', detail: { ticket_id: ticket.id } });
  }

  /** The network or the page is back: every retry begins at once. */
  function wake() {
    customer.identity.wake();
    live.wake();
    outbox.wake();
  }

  return {
    ...base,
    ...presence,
    ...shown,
    ...home,
    width: createWidth(storage, session),
    isAtEnd: readMarks.isAtEnd,
    firstNew: readMarks.firstNew,
    isFresh: sync.isFresh,
    loadEarlier: loading.loadEarlier,
    /** Reads the list and the conversation on screen. False when the list could not be read. */
    refresh,
    isGone,
    sending,
    live,
    staleSince: stale.since,
    customer,
    showUnread,
    now: createNow(clock),
    diagnose: async () => (await import('./live/diagnose.ts')).diagnose({ api, storage, live }),
    start: action(() => {
      effect(loading.open);
      effect(() => following.follow(live));
      effect(() => stale.update(isCurrent()));
      effect(customer.introduce);
      effect(goToUnread);
      effect(() => adoptOwnTexts(session, outbox, list.value));
      effect(readMarks.onViewChange);
      effect(() => customer.onViewChange(view.current.value));
      effect(() => readMarks.update(viewedId.value, isOnScreen() && !loading.isOpening.value));
      effect(sending.moveRejectedToForm);
      outbox.setSender({
        ...sending,
        whenSettled: customer.identity.whenSettled,
        onSessionEnd,
        findOwner: customer.findOwner,
      });
      outbox.run();
      // With a session, the first event of the stream names the customer, which saves a request.
      if (!session.isUsed.peek() || customer.identity.isUnknown()) void customer.load();
      customer.identity.start();
    }),
    /** Another tab has changed what is stored. This tab sends what a tab that was closed has left. */
    onOtherTab: action(() => {
      outbox.refresh();
      newTicket.refresh();
      customer.onOtherTab();
      outbox.run();
    }),
  };
}

export type Models = ReturnType<typeof createModels>;
