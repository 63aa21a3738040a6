import type { Customer, Session } from '../../../shared/contract/session.ts';
import { type Store, usedName } from '../browser/storage.ts';
import { action, computed, signal } from '@preact/signals';

/** Stored: the owner of the session, as the BFF names them; false for an anonymous session. */
const ownerName = 'owner';
/** Stored: the owner who signed in last, whose data the site's sign-out clears. */
const lastName = 'last';
/** Stored: true while the session of a customer who may have left must still be ended at the BFF. */
const endingName = 'ending';

interface SessionOptions {
  storage: Store;
  /** The host page has called `identify`, and its token will follow. */
  isExpected: boolean;
  /** Called when the owner changes, before any effect or view sees the new session: it can clear the data of the last one. */
  onOwner: (owner: string | null, last: Owner) => void;
}

/** A signed-in customer; null: nobody is signed in; undefined: unknown until the BFF has answered. */
export type Owner = string | null | undefined;

/** The session of this browser. */
export function createSession({ storage, isExpected, onOwner }: SessionOptions) {
  const current = signal<Session | null>(null);
  const isStored = () => storage.read(usedName) === true;
  const storedOwner = (): Owner => {
    const stored = storage.read(ownerName);
    return typeof stored === 'string' ? stored : stored === false ? null : undefined;
  };
  const wasUsed = isStored();
  const hasLeft = () => storage.read(usedName) === false;
  const ownerBefore = hasLeft() ? null : storedOwner();
  const owner = computed<Owner>(() =>
    current.value ? (current.value.customer?.owner ?? null) : ownerBefore,
  );

  const isEnding = () => storage.read(endingName) === true;
  const isUsed = computed(() => (current.value ? current.value.customer !== null : wasUsed));
  const isPending = signal(isExpected || isEnding());

  /** Sets the session of this tab only; `put` also stores it for other tabs. */
  const show = action((session: Session) => {
    const next = session.customer?.owner ?? null;
    const last = owner.peek();
    current.value = session;
    if (next !== last) onOwner(next, last);
  });

  const put = action((session: Session) => {
    show(session);
    const next = owner.peek();
    if (session.customer) storage.write(ownerName, next ?? false);
    else storage.remove(ownerName);
    if (next) storage.write(lastName, next);
    if (session.customer) storage.write(usedName, true);
    else if (isStored()) storage.remove(usedName);
  });

  const withCustomer = (customer: Customer | null): Session => ({
    brand: null,
    email_code: false,
    ...current.peek(),
    unread: 0,
    claimable: 0,
    transferable: 0,
    moved: false,
    customer,
  });

  return {
    current,
    owner,
    /** The value that any tab stored last. */
    storedOwner,
    /** Whether any tab of this browser has stored that there is a session. */
    isStored,
    /** Whether there is a customer; before the BFF has answered, as stored on earlier visits. */
    isUsed,
    /** A token is expected or being exchanged, or a session must still be ended. */
    isPending,
    /** The session may be another customer's, so nothing of it may be shown. */
    isWaiting: computed(
      () => isPending.value && Boolean(owner.value ?? (owner.value === undefined && isUsed.value)),
    ),
    put,
    /** Sets the customer after the first submit, or null when the BFF no longer knows this browser. */
    change: (customer: Customer | null) => put(withCustomer(customer)),
    /** Shows no customer in this tab; what other tabs have stored stays. */
    hide: () => show(withCustomer(null)),
    /** The owner who signed in last on this browser. */
    last: () => storage.read(lastName),
    /** Whether the customer has signed out, in any tab, and nobody has signed in since. */
    hasLeft,
    /** Stores whether there is a customer; after false, other tabs sign out too and no session is renewed. */
    mark: (isHere: boolean) => storage.write(usedName, isHere),
    isEnding,
    /** Stored, so that the next page ends a session that this one could not. */
    setEnding: (isDue: boolean) => (isDue ? storage.write(endingName, true) : storage.remove(endingName)),
  };
}

export type SessionModel = ReturnType<typeof createSession>;
