import type { Session } from '../../../shared/contract/session.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { ApiFailure, Result } from '../api/result.ts';
import { keptName, type Store } from '../browser/storage.ts';
import { draftOwner, type DraftsModel } from '../new-ticket/drafts.ts';
import { createIdentity, type IdentityOptions } from './identity.ts';
import type { LiveModel } from '../live/live.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import type { SendingModel } from '../outbox/sending.ts';
import type { Owner } from './session.ts';
import { action, batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import { refOf } from '../ticket-list/names.ts';
import { countTransferable } from '../outbox/unowned.ts';
import type { View, ViewModel } from '../view.ts';
import { sendOwner } from '../outbox/sends.ts';

interface CustomerOptions extends Omit<IdentityOptions, 'load' | 'onSession' | 'onEnd'> {
  tickets: TicketsModel;
  drafts: DraftsModel;
  newTicket: NewTicketModel;
  view: ViewModel;
  viewed: ReadonlySignal<TicketSummary | null>;
  /** This browser does not have the conversation on screen. */
  isGone: ReadonlySignal<boolean>;
  /** Whether the customer sees the form of a new ticket. */
  isFormOnScreen: () => boolean;
  sending: SendingModel;
  live: LiveModel;
}

/**
 * How customers are recognised, sign in and leave. When a customer leaves, all their data is removed from this browser.
 */
export function createCustomer(options: CustomerOptions) {
  const { api, storage, onEvent, session, tickets, outbox, drafts, newTicket, view, viewed, sending, live } =
    options;
  const task = createTask();
  /** The customer has pressed "Forget me", and is asked to confirm it. */
  const isLeaving = signal(false);
  /** The form was on screen when the session was taken. It stays until there are tickets, for a customer who writes. */
  const isFormKept = signal(false);

  /** Takes the session of an answer of the BFF, which names the customer. */
  const takeSession = action((taken: Session) => {
    live.stop();
    isFormKept.value = options.isFormOnScreen();
    // An empty list belonged to the former session. The new session may have tickets.
    if (tickets.list.peek().length === 0) tickets.forget();
    session.put(taken);
  });

  const identity = createIdentity({
    ...options,
    load,
    onSession: takeSession,
    onEnd: () => session.change(null),
  });

  async function load(isWanted = (_: Session) => true) {
    const before = session.current.peek();
    const result = await api.session();
    // A sign-in during the request is newer than this answer.
    if (result.ok && session.current.peek() === before && isWanted(result.value)) session.put(result.value);
  }

  /** SECURITY: removes what the customer read and wrote from screen and memory and, if `isStoredToo`, from storage. */
  const forget = action((isStoredToo: boolean) => {
    api.abandon();
    drafts.forget();
    if (isStoredToo) {
      clearStorage(storage, [session.owner.peek(), session.last()]);
      session.change(null);
    } else session.hide();
    newTicket.forget();
    outbox.refresh();
    tickets.forget();
    view.forget();
  });

  /** SECURITY: the customer has signed out in another tab, so this one renews nothing. */
  function leave() {
    api.dropToken();
    identity.release(identity.forget());
    forget(false);
  }

  /** The session has ended, and nobody else has signed in. */
  const endSession = action(() => {
    const ticket = viewed.peek();
    const isWriting = ticket && drafts.reply(refOf(ticket)).peek();
    // SECURITY: the text of a signed-in customer stays stored for them. Somebody else may use this browser now.
    if (isWriting && !session.owner.peek()) sending.startOver();
    else if (ticket) view.forget();
    tickets.forget();
    session.change(null);
    if (isWriting) newTicket.refuse({}, 'unauthenticated');
  });

  const transferable = computed(() => countTransferable(session, outbox));

  /** While a request to end the session is in flight: whether the stream has said already that it is over. */
  let isOverMeanwhile: boolean | null = null;

  /** Ends the session by this request, and forgets the customer, in every tab. `said`: what is then told to them. */
  async function leaveBy(request: () => Promise<Result<unknown>>, said?: string) {
    session.mark(false);
    const isUnsettled = session.isPending.peek();
    const number = identity.forget();
    const result = await identity.runInQueue(async () => {
      isOverMeanwhile = false;
      const ended = await request();
      const isOver = ended.ok || isOverMeanwhile;
      isOverMeanwhile = null;
      batch(() => {
        if (isOver) {
          api.dropToken();
          forget(true);
          if (said) view.said.value = said;
        }
        session.mark(!isOver);
      });
      return isOver ? null : ended;
    });
    batch(() => {
      if (result && !result.ok) {
        task.failure.value = result.error;
        onEvent({ name: 'error', detail: { code: result.error.code ?? 'internal' } });
      }
      if (isUnsettled && result) void identity.giveUp();
      else identity.release(number);
    });
  }

  return {
    task,
    isLeaving,
    askToLeave: action(() => {
      isLeaving.value = true;
      view.moves.value += 1;
    }),
    identity,
    load,
    /**
     * Takes the session of somebody who has signed in elsewhere. If a session has only ended, the stream reports it.
     */
    findOwner: () => load(({ customer }) => Boolean(customer?.owner)),
    /**
     * SECURITY: another customer is signed in, or nobody. Everything that the last customer read is removed. What they
     * wrote stays stored for them alone.
     */
    changeOwner: action((next: string | null, last: Owner) => {
      if (last !== undefined) {
        api.abandon();
        tickets.forget();
      }
      if (last) {
        newTicket.forget();
        view.forget();
      }
      drafts.changeOwner(next);
      outbox.wake();
    }),
    /** The session is over, unless the host page can renew it; unsent texts stay. */
    async onSessionEnd(isSignedOut?: boolean) {
      const ended = session.current.peek();
      live.stop();
      // That request ends the session. Ending it here would keep what a sign-out removes, and make its answer fail.
      if (isOverMeanwhile !== null) isOverMeanwhile = true;
      else if (isSignedOut) leave();
      else if (!(await identity.renew()) && session.current.peek() === ended) {
        endSession();
        void load();
      }
    },
    /** An effect: fills in the form with the name and the address that the BFF knows. */
    introduce() {
      const known = session.current.value?.customer;
      if (known && !session.isWaiting.value && view.current.value.name !== 'thread')
        newTicket.introduce(known);
    },
    /** An effect: whoever opens a conversation that this browser does not have is asked for its address. */
    askForAddress() {
      const { customer: known, email_code } = session.current.value ?? {};
      const isOpenable = !email_code || known?.verified || transferable.value || viewed.value;
      if (options.isGone.value && !isOpenable) view.go({ name: 'find', next: view.current.peek().ref! });
    },
    takeSession,
    /** The same for a customer who has just proved who they are: they see the start view. */
    enter: action((taken: Session) => {
      takeSession(taken);
      view.forget();
    }),
    leaveBy,
    isFormKept,
    transferable,
    /** Whether there is a notice about tickets that are not in the list. */
    hasOffers: computed(() => {
      const { claimable, moved } = session.current.value ?? {};
      return Boolean(claimable || moved || transferable.value);
    }),
    signOut: (said?: string) => leaveBy(api.signOut, said),
    /** Another tab stored something. */
    onOtherTab: action(() => {
      const isUsed = session.isUsed.peek();
      const owner = session.owner.peek() ?? null;
      const isOther = (session.storedOwner() ?? null) !== owner;
      if (isUsed && session.hasLeft()) leave();
      else if (owner && isOther) {
        // SECURITY: shows nothing of the customer until the BFF has said who is signed in.
        live.stop();
        session.hide();
        // The token that this tab may have for itself belongs to the former customer.
        api.dropToken();
        void load();
      } else if (isOther ? !api.isAlone() : !isUsed && session.isStored()) void load();
    }),
    /** Cancels what was begun in the last view and not finished. */
    onViewChange: action((_: View) => {
      isLeaving.value = false;
      task.failure.value = null;
    }),
  };
}

export type CustomerModel = ReturnType<typeof createCustomer>;

/** Removes all that is stored, except what other signed-in customers wrote: that waits until they come back. */
function clearStorage(storage: Store, leaving: unknown[]) {
  for (const name of storage.names('')) {
    const owner = draftOwner(name) ?? sendOwner(storage, name) ?? null;
    const isOthers = owner !== null && !leaving.includes(owner);
    if (!name.startsWith(keptName) && !isOthers) storage.remove(name);
  }
}

/** Runs one request of the account views at a time, and keeps why the last one failed. */
function createTask() {
  const isBusy = signal(false);
  const failure = signal<ApiFailure | null>(null);
  return {
    isBusy,
    failure,
    async run<T>(call: () => Promise<Result<T>>, onDone: (value: T) => void) {
      if (isBusy.peek()) return;
      batch(() => {
        isBusy.value = true;
        failure.value = null;
      });
      const result = await call();
      batch(() => {
        isBusy.value = false;
        if (result.ok) onDone(result.value);
        else failure.value = result.error;
      });
    },
  };
}
