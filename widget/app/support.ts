import type { WidgetEvent } from '../bridge/messages.ts';
import type { TicketSummary } from '../../bff/contract/tickets.ts';
import type { Api } from './api/client.ts';
import type { Store } from './browser/storage.ts';
import type { LoadAccount } from './customer/account.ts';
import type { Clock } from './browser/clock.ts';
import type { Core, Home } from './core.ts';
import { showConversation } from './thread/show-conversation.ts';
import { createCustomer } from './customer/customer.ts';
import type { JoinTabs } from './live/live.ts';
import { createLive } from './live/live.ts';
import { createLoading } from './thread/loading.ts';
import { createNow } from './browser/now.ts';
import { createPresence } from './live/presence.ts';
import { createReadMarks } from './thread/read-marks.ts';
import { createSending } from './outbox/sending.ts';
import { action, computed, effect, signal } from '@preact/signals';
import { createStale } from './live/stale.ts';
import { createSync } from './live/sync.ts';
import { showTickets } from './ticket-list/ticket-list.ts';
import { createTickets } from './ticket-list/tickets.ts';
import { isNamed, refOf } from './ticket-list/names.ts';

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
  const { api, clock, storage, onEvent, onArrival } = options;
  const { view, isOpen, isForm, session, drafts, newTicket, outbox } = core;
  const presence = createPresence({ clock, onHide: () => drafts.flush(), onReturn: wake });
  const { isVisible, isAway } = presence;
  const tickets = createTickets();
  /** True while the newest message is in sight. */
  const isAtEnd = signal(true);
  const readMarks = createReadMarks({ api, tickets, isAtEnd });
  /** What is here may be somebody else's. */
  const isHidden = () => session.isWaiting.value;
  const isOnScreen = () => isOpen.value && isVisible.value && !isHidden();
  const refInView = () => (isHidden() ? undefined : view.current.value.ref);

  const list = computed(() => showTickets(tickets.list.value, outbox.sends.value, outbox.replaced.value));
  const viewed = computed(() => {
    const ref = refInView();
    if (ref === undefined) return null;
    const thread = tickets.thread(ref);
    // The list may not be here yet for one that the page named.
    return list.value.find(isNamed(ref)) ?? (thread?.id === ref ? thread : null);
  });
  /** The messages of the conversation on screen, with what is still on its way from here. */
  const messages = computed(() => {
    const ticket = viewed.value;
    return ticket ? showConversation(ticket, tickets.thread(refOf(ticket)), outbox.sends.value) : [];
  });
  /** What no list knows is asked for by its ref: most often an id that the host page gave. */
  const viewedId = computed(() => (viewed.value ? viewed.value.id : (refInView() ?? null)));
  /** By what the BFF knows it: one that waits by its key; null for one that only this browser has. */
  const viewedName = computed(() => viewedId.value ?? tickets.find(viewed.value?.key ?? '')?.key ?? null);

  const models = { session, tickets, outbox, drafts, newTicket, view, isForm, list, viewed };
  const onSessionEnd = (isSignedOut?: boolean) => void customer.onSessionEnd(isSignedOut);
  const sync = createSync({
    ...models,
    onArrival(ticket) {
      if (isOpen.peek())
        (ticket.id === viewedId.peek() ? tickets.arrivedHere : tickets.arrivedElsewhere).value = ticket;
      if (live.isLeading()) onArrival(ticket);
      onEvent({ name: 'message-received', detail: { ticket_id: ticket.id } });
    },
    onUnreadable: () => loading.again({ isMissing: true }),
    onGap: () => loading.again(),
    onSessionEnd,
  });
  const sending = createSending({
    ...options,
    ...models,
    sync,
    refresh: () => void refresh(),
    onSessionEnd,
    findOwner: () => customer.findOwner(),
  });

  const loading = createLoading({ api, tickets, sync, name: viewedName });

  /** Reads by plain requests what the stream would bring. */
  async function refresh() {
    const name = viewedName.peek();
    const read = name === null ? null : loading.load(name);
    if (!session.current.peek()) void customer.load();
    const since = tickets.moment();
    const result = await api.tickets();
    if (result.ok) sync.putTickets(result.value, since);
    else tickets.listFailure.value = result.error;
    await read;
    return result.ok;
  }

  const live = createLive({
    ...options,
    onEvent: sync.apply,
    begin: (thread) => ({
      after: thread === null ? null : tickets.completeUpTo(thread),
      since: tickets.moment(),
    }),
    snapshot() {
      const known = session.current.peek();
      if (!known || !tickets.isLoaded.peek()) return null;
      // With the conversation, so that other tabs can apply the leader's later events of it.
      const here = followed === null ? undefined : tickets.thread(followed);
      const thread = here?.read_at ? { ...here, before: null, after: null } : null;
      return { name: 'sync', data: { session: known, tickets: [...tickets.list.peek()], thread } };
    },
    poll: refresh,
    onUnauthenticated: onSessionEnd,
  });

  const customer = createCustomer({
    ...options,
    ...models,
    sending,
    live,
    isOnScreen,
  });

  /** The network or the page is back: nothing sits out its backoff. */
  function wake() {
    customer.identity.wake();
    live.wake();
    outbox.wake();
  }

  const isCurrent = computed(
    () => presence.isOnline.value && !live.isLate.value && sync.isFresh.value && tickets.isLoaded.value,
  );
  const stale = createStale(clock, isCurrent);
  /** The conversation that the stream follows. */
  let followed: string | null = null;

  function followLive() {
    // Runs again for each new session: taking one stops the stream.
    void session.current.value;
    // The badge needs the list.
    const isNeeded = isOpen.value || !tickets.isLoaded.value || list.value.length > 0;
    // Not before the conversation has been read: the stream would send it a second time.
    if (!loading.isOpening.value) followed = isOpen.value ? viewedId.value : null;
    if (session.isUsed.value && isNeeded && !isAway.value && !isHidden())
      live.connect(followed, isVisible.value);
    else live.stop();
  }

  function introduce() {
    const known = session.current.value?.customer;
    if (known && !isHidden() && view.current.value.name !== 'thread') newTicket.introduce(known);
  }

  function onViewChange() {
    const current = view.current.value;
    isAtEnd.value = true;
    customer.onViewChange(current);
  }

  function moveRejectedToForm() {
    const isKnown = tickets.isLoaded.value || !session.isUsed.value;
    if (isKnown && isOnScreen() && view.current.value.name !== 'thread') sending.moveRejectedToForm();
  }

  const home = computed<Home>(() => {
    if (list.value.length > 0 || (tickets.isLoaded.value && customer.hasOffers.value)) return 'tickets';
    return session.isUsed.value && !tickets.isLoaded.value && !customer.isFormKept.value ? 'loading' : 'form';
  });
  const unread = computed(() => {
    const count = tickets.isLoaded.value
      ? tickets.list.value.reduce((sum, ticket) => sum + ticket.unread, 0)
      : session.current.value?.unread;
    return isHidden() ? 0 : (count ?? 0);
  });
  const diagnose = async () => (await import('./live/diagnose.ts')).diagnose({ api, storage, live });

  return {
    ...core,
    ...models,
    ...presence,
    live,
    sending,
    customer,
    viewedId,
    messages,
    isAtEnd,
    firstNew: readMarks.firstNew,
    loadEarlier: loading.loadEarlier,
    now: createNow(clock),
    isFresh: sync.isFresh,
    staleSince: stale.since,
    unread,
    refresh,
    start: action(() => {
      effect(loading.open);
      effect(followLive);
      effect(stale.follow);
      effect(introduce);
      effect(() => customer.bringAlong(list.value));
      effect(onViewChange);
      effect(() => readMarks.look(viewedId.value, isOnScreen() && !loading.isOpening.value));
      effect(moveRejectedToForm);
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
