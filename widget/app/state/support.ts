import type { WidgetEvent } from '../../bridge/messages.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { Store } from '../storage.ts';
import type { Clock } from './clock.ts';
import { createDrafts } from './drafts.ts';
import { createLive } from './live.ts';
import { createNewTicket } from './new-ticket.ts';
import type { Lock } from './outbox.ts';
import { createOutbox } from './outbox.ts';
import { createReadMarks } from './read-marks.ts';
import { createSending } from './sending.ts';
import type { TicketSend } from './sends.ts';
import { asTicket } from './sends.ts';
import { createSession } from './session.ts';
import { computed, effect, signal, untracked } from './signal.ts';
import { createSync } from './sync.ts';
import { createTickets, isNamed } from './tickets.ts';
import { createView } from './view.ts';

const awayAfterMs = 60_000;

export interface SupportOptions {
  api: Api;
  clock: Clock;
  storage: Store;
  lock: Lock;
  newKey: () => string;
  /** Where the customer is, for the agents. */
  pageUrl: () => string | undefined;
  isEmbedded: boolean;
  /** What the host page may hear of. */
  onEvent: (event: WidgetEvent) => void;
}

/** The whole app without its looks: every model, joined. `start` sets it going; its answer ends it. */
export function createSupport({
  api,
  clock,
  storage,
  lock,
  newKey,
  pageUrl,
  onEvent,
  isEmbedded,
}: SupportOptions) {
  const view = createView();
  /** Whether the host page shows the panel; a full page always does. */
  const isOpen = signal(!isEmbedded);
  const isVisible = signal(true);
  const isOnline = signal(true);
  /** Hidden for so long that the connection is given back. */
  const isAway = signal(false);
  let cancelAway = () => {};
  const session = createSession(storage);
  const tickets = createTickets();
  const readMarks = createReadMarks({ api, tickets });
  const drafts = createDrafts(storage, clock);
  const newTicket = createNewTicket(drafts);
  /** The ticket that an agent has just answered while another view was on screen. */
  const arrivedElsewhere = signal<TicketSummary | null>(null);
  /** True while the newest message is in sight. */
  const isAtEnd = signal(true);

  const outbox = createOutbox({
    api,
    clock,
    storage,
    lock,
    newKey,
    onTicket: (send, ticket) => sending.onTicket(send, ticket),
    onMessage: (send, message) => sending.onMessage(send, message),
    onRefused: (...refusal) => sending.onRefused(...refusal),
  });

  /** The server's list, and tickets that only this browser holds yet. */
  const list = computed<TicketSummary[]>(() => {
    const listed = tickets.list.value;
    const isOwn = (send: { kind: string; key: string }): send is TicketSend =>
      send.kind === 'ticket' && !listed.some(isNamed(send.key));
    return [...outbox.sends.value.filter(isOwn).map(asTicket).reverse(), ...listed];
  });
  const viewed = computed(() => {
    const place = view.current.value;
    if (place.name !== 'thread') return null;
    return list.value.find(isNamed(place.ref)) ?? tickets.thread(place.ref) ?? null;
  });
  /** A ref that no list knows is an id that the host page gave. */
  const viewedId = computed(() => {
    const place = view.current.value;
    return place.name === 'thread' ? (viewed.value ? viewed.value.id : place.ref) : null;
  });

  const sync = createSync({
    session,
    tickets,
    outbox,
    onArrival(ticket) {
      if (ticket.id !== viewedId.peek()) arrivedElsewhere.value = ticket;
      onEvent({ name: 'message-received', detail: { ticket_id: ticket.id } });
    },
    onRejected: (send, code) => sending.onRefused(send, code, {}),
  });
  const sending = createSending({
    api,
    session,
    tickets,
    outbox,
    view,
    newTicket,
    drafts,
    sync,
    viewed,
    pageUrl,
    onEvent,
    refresh: () => void refresh(),
  });

  async function loadThread(id: string) {
    tickets.threadFailure.value = null;
    const result = await api.ticket(id);
    if (result.ok) sync.putThread(result.value);
    else tickets.threadFailure.value = result.error;
  }

  /** Reads by plain requests what the stream would bring. */
  async function refresh() {
    const id = viewedId.peek();
    if (id !== null) void loadThread(id);
    const result = await api.tickets();
    if (result.ok) sync.putTickets(result.value);
    else tickets.listFailure.value = result.error;
  }

  async function loadSession() {
    const result = await api.session();
    if (result.ok) session.put(result.value);
  }

  const live = createLive({
    api,
    clock,
    onEvent: sync.apply,
    poll: refresh,
    onUnauthenticated() {
      tickets.replace([]);
      session.change(null);
      void loadSession();
    },
  });

  /** The network or the page is back: nothing sits out its backoff. */
  function wake() {
    live.wake();
    outbox.wake();
  }

  let openedId: string | null = null;
  const effects = [
    () => {
      // Until the list is known the badge is not.
      const isNeeded = isOpen.value || !tickets.isLoaded.value || list.value.length > 0;
      const thread = isOpen.value ? viewedId.value : null;
      if (session.isUsed.value && isNeeded && !isAway.value) live.connect(thread);
      else live.stop();
    },
    () => {
      const id = viewedId.value;
      if (id === openedId) return;
      openedId = id;
      isAtEnd.value = true;
      if (id !== null) untracked(() => void loadThread(id));
    },
    () => {
      const customer = session.current.value?.customer;
      if (customer && view.current.value.name !== 'thread')
        untracked(() =>
          newTicket.prefill({ customer_email: customer.email, customer_name: customer.name ?? '' }),
        );
    },
    () => {
      const id = viewedId.value;
      if (id !== null && isAtEnd.value && isOpen.value && isVisible.value) void readMarks.mark(id);
    },
  ];

  return {
    view,
    isOpen,
    isOnline,
    session,
    tickets,
    drafts,
    newTicket,
    outbox,
    live,
    sending,
    list,
    viewed,
    viewedId,
    arrivedElsewhere,
    isAtEnd,
    isFresh: sync.isFresh,
    /** What the start shows: with no tickets yet, the form is the start. */
    home: computed<'form' | 'loading' | 'failed' | 'tickets'>(() => {
      if (list.value.length > 0) return 'tickets';
      if (!session.isUsed.value || tickets.isLoaded.value) return 'form';
      return tickets.listFailure.value ? 'failed' : 'loading';
    }),
    unread: computed(() =>
      tickets.isLoaded.value
        ? tickets.list.value.reduce((sum, ticket) => sum + ticket.unread, 0)
        : (session.current.value?.unread ?? 0),
    ),
    refresh,
    start() {
      const ends = effects.map(effect);
      outbox.run();
      // With a session the stream's first event tells who this is: one request, not two.
      if (!session.isUsed.peek()) void loadSession();
      return () => {
        for (const end of ends) end();
        live.stop();
      };
    },
    /** Another tab stored something: a send has moved on, or this browser has a session now. */
    onOtherTab() {
      outbox.refresh();
      if (!session.isUsed.peek() && session.isStored()) void loadSession();
    },
    setOnline(online: boolean) {
      isOnline.value = online;
      if (online) wake();
    },
    setVisible(visible: boolean) {
      isVisible.value = visible;
      cancelAway();
      if (visible) {
        isAway.value = false;
        wake();
      } else {
        drafts.flush();
        cancelAway = clock.after(awayAfterMs, () => {
          isAway.value = true;
        });
      }
    },
  };
}

export type Support = ReturnType<typeof createSupport>;
