import type { WidgetEvent } from '../../bridge/messages.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { Store } from '../storage.ts';
import type { LoadAccount } from './account.ts';
import type { Clock } from './clock.ts';
import { createCustomer } from './customer.ts';
import { createDrafts } from './drafts.ts';
import type { JoinTabs } from './live.ts';
import { createLive } from './live.ts';
import { createLoading } from './loading.ts';
import { createNow } from './now.ts';
import { createNewTicket } from './new-ticket.ts';
import type { Lock } from './outbox.ts';
import { createOutbox } from './outbox.ts';
import { createPresence } from './presence.ts';
import { createReadMarks } from './read-marks.ts';
import { createSending, overName } from './sending.ts';
import type { TicketSend } from './sends.ts';
import { asTicket } from './sends.ts';
import { createSession } from './session.ts';
import { computed, effect, signal, untracked } from './signal.ts';
import { createSync } from './sync.ts';
import { createTickets, isNamed } from './tickets.ts';
import { createView } from './view.ts';

export interface SupportOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  lock: Lock;
  /** Finds the other tabs that the customer has open here. */
  join: JoinTabs;
  newKey: () => string;
  loadAccount: LoadAccount;
  /** Where the customer is, for the agents. */
  pageUrl: () => string | undefined;
  isEmbedded: boolean;
  /** The page has called `identify` already, and its token is on its way. */
  isExpected: boolean;
  /** What the host page may hear of. */
  onEvent: (event: WidgetEvent) => void;
  /** An agent has answered; told in one tab only. */
  onArrival: (ticket: TicketSummary) => void;
  /** Asks the host page to identify its customer anew. */
  askForToken: () => void;
}

/** The whole app without its looks: every model, joined. `start` sets it going. */
export function createSupport(options: SupportOptions) {
  const { api, clock, storage, onEvent, onArrival, isEmbedded } = options;
  const view = createView();
  /** Whether the host page shows the panel; a full page always does. */
  const isOpen = signal(!isEmbedded);
  const presence = createPresence({ clock, onHide: () => drafts.flush(), onReturn: wake });
  const { isVisible, isAway } = presence;
  const session = createSession(storage, (owner, last) => customer.turnTo(owner, last));
  const tickets = createTickets();
  const owner = () => session.owner.peek() ?? null;
  const drafts = createDrafts(storage, clock, owner());
  const newTicket = createNewTicket(drafts);
  /** True while the newest message is in sight. */
  const isAtEnd = signal(true);
  const readMarks = createReadMarks({ api, tickets, isAtEnd });
  /** What is here may be somebody else's. */
  const isHidden = () => customer.identity.isWaiting.value;
  const isOnScreen = () => isOpen.value && isVisible.value && !isHidden();
  const refInView = () => (isHidden() ? undefined : view.current.value.ref);

  const outbox = createOutbox({
    ...options,
    owner,
    whenClear: () => customer.identity.clear(),
    sending: () => sending,
  });

  /** The server's list but for refused tickets that were begun anew, and tickets that only this browser holds yet. */
  const list = computed<TicketSummary[]>(() => {
    const listed = tickets.list.value.filter(
      ({ state, key }) => state !== 'rejected' || !storage.read(overName + key),
    );
    const isOwn = (send: { kind: string; key: string }): send is TicketSend =>
      send.kind === 'ticket' && !listed.some(isNamed(send.key));
    return [...outbox.sends.value.filter(isOwn).map(asTicket).reverse(), ...listed];
  });
  const viewed = computed(() => {
    const ref = refInView();
    if (ref === undefined) return null;
    const thread = tickets.thread(ref);
    // The list may not be here yet for one that the page named.
    return list.value.find(isNamed(ref)) ?? (thread?.id === ref ? thread : null);
  });
  /** What no list knows is asked for by its ref: most often an id that the host page gave. */
  const viewedId = computed(() => (viewed.value ? viewed.value.id : (refInView() ?? null)));
  /** By what the BFF knows it: one that waits by its key; null for one that only this browser has. */
  const viewedName = computed(() => viewedId.value ?? tickets.find(viewed.value?.key ?? '')?.key ?? null);

  const models = { session, tickets, outbox, drafts, newTicket, view, list, viewed };
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
    onSessionEnd: () => void customer.onSessionEnd(),
  });
  const sending = createSending({
    ...options,
    ...models,
    sync,
    refresh: () => void refresh(),
    onSessionEnd: () => void customer.onSessionEnd(),
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
      // With it, what the leader hears of it later joins on in every tab.
      const here = followed === null ? undefined : tickets.thread(followed);
      const thread = here?.read_at ? { ...here, before: null, after: null } : null;
      return { name: 'sync', data: { session: known, tickets: [...tickets.list.peek()], thread } };
    },
    poll: refresh,
    onUnauthenticated: () => void customer.onSessionEnd(),
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

  /** When what is shown was last known to be all there is, ISO 8601 UTC; null while it is, or never was. */
  const staleSince = signal<string | null>(null);
  let isCurrent = false;
  /** The conversation that the stream follows. */
  let followed: string | null = null;

  return {
    ...models,
    ...presence,
    isOpen,
    live,
    sending,
    customer,
    viewedId,
    isAtEnd,
    firstNew: readMarks.firstNew,
    loadEarlier: loading.loadEarlier,
    now: createNow(clock),
    isFresh: sync.isFresh,
    staleSince,
    /** What the start shows: with no tickets yet, nor any to take over or to add, the form is the start. */
    home: computed<'form' | 'loading' | 'tickets'>(() => {
      if (list.value.length > 0 || (tickets.isLoaded.value && customer.hasOffers.value)) return 'tickets';
      return session.isUsed.value && !tickets.isLoaded.value ? 'loading' : 'form';
    }),
    unread: computed(() => {
      const count = tickets.isLoaded.value
        ? tickets.list.value.reduce((sum, ticket) => sum + ticket.unread, 0)
        : session.current.value?.unread;
      return isHidden() ? 0 : (count ?? 0);
    }),
    refresh,
    /** This page was opened by the link that another device showed. */
    openHandoff(secret: string) {
      view.go({ name: 'handoff', secret });
    },
    start() {
      [
        loading.open,
        () => {
          // Until the list is known the badge is not.
          const isNeeded = isOpen.value || !tickets.isLoaded.value || list.value.length > 0;
          // A stream that followed it before it is here would bring it a second time.
          if (!loading.isOpening.value) followed = isOpen.value ? viewedId.value : null;
          if (session.isUsed.value && isNeeded && !isAway.value && !isHidden())
            live.connect(followed, isVisible.value);
          else live.stop();
        },
        () => {
          const wasCurrent = isCurrent;
          isCurrent =
            presence.isOnline.value && !live.isLate.value && sync.isFresh.value && tickets.isLoaded.value;
          if (isCurrent) staleSince.value = null;
          else if (wasCurrent) staleSince.value = new Date(clock.now()).toISOString();
        },
        () => {
          const known = session.current.value?.customer;
          if (known && !isHidden() && view.current.value.name !== 'thread')
            untracked(() => newTicket.introduce(known));
        },
        () => customer.bringAlong(list.value),
        () => {
          const current = view.current.value;
          isAtEnd.value = true;
          untracked(() => customer.hearView(current));
        },
        () => readMarks.look(viewedId.value, isOnScreen() && !loading.isOpening.value),
        () => {
          const isKnown = tickets.isLoaded.value || !session.isUsed.value;
          if (isKnown && isOnScreen() && view.current.value.name !== 'thread') sending.takeStranded();
        },
      ].forEach(effect);
      outbox.run();
      // With a session the stream's first event tells who this is: one request, not two.
      if (!session.isUsed.peek() || customer.identity.isUnknown()) void customer.load();
      customer.identity.start();
    },
    /** Another tab changed what is stored: one that has died leaves its sends to this one. */
    onOtherTab() {
      outbox.refresh();
      customer.hearOtherTab();
      outbox.run();
    },
  };
}

export type Support = ReturnType<typeof createSupport>;
