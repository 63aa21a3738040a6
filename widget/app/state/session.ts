import type { Customer, Session } from '../../../bff/contract/session.ts';
import type { Store } from '../storage.ts';
import { computed, signal } from './signal.ts';

/** Non-identifying: true where this browser has had a session here, false where the customer has left it. */
const usedName = 'used';
/** Whose session this browser has: the BFF's name for a signed-in customer; false where the session is anonymous. */
const ownerName = 'owner';
/** Who signed in last: what the site's sign-out clears is theirs. */
const lastName = 'last';
/** True while the session of somebody who may not be here any more has yet to be ended at the BFF. */
const endingName = 'ending';

/** A signed-in customer; null: nobody is; undefined: not known until the BFF has answered. */
export type Owner = string | null | undefined;

/**
 * Who the customer is to the BFF; null until it has said. `onOwner`: somebody signs in, or is signed in no more; called
 * before anything is drawn anew.
 */
export function createSession(storage: Store, onOwner: (owner: string | null, last: Owner) => void) {
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

  /** For this tab alone. */
  function show(session: Session) {
    const next = session.customer?.owner ?? null;
    const last = owner.peek();
    current.value = session;
    if (next !== last) onOwner(next, last);
  }

  function put(session: Session) {
    show(session);
    const next = owner.peek();
    if (session.customer) storage.write(ownerName, next ?? false);
    else storage.remove(ownerName);
    if (next) storage.write(lastName, next);
    if (session.customer) storage.write(usedName, true);
    else if (isStored()) storage.remove(usedName);
  }

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
    /** As any tab was told last. */
    storedOwner,
    /** Whether this browser, in whichever tab, has a session as far as is known. */
    isStored,
    /** Until the BFF has answered, what happened on earlier visits decides. */
    isUsed: computed(() => (current.value ? current.value.customer !== null : wasUsed)),
    put,
    /** The first submit made a session under this address, or (null) the BFF no longer knows this browser. */
    change: (customer: Customer | null) => put(withCustomer(customer)),
    /** Nobody is here as far as this tab shows; what is stored stays another tab's word. */
    hide: () => show(withCustomer(null)),
    /** Who last signed in on this browser. */
    last: () => storage.read(lastName),
    /** Whether the customer has left, in whichever tab, and nobody has come since. */
    hasLeft,
    /** False: the customer leaves. Other tabs hear of it, and no session that has ended is got back from then on. */
    mark: (isUsed: boolean) => storage.write(usedName, isUsed),
    isEnding: () => storage.read(endingName) === true,
    /** Outlives the page: what could not be ended on it is ended on the next one. */
    setEnding: (isEnding: boolean) =>
      isEnding ? storage.write(endingName, true) : storage.remove(endingName),
  };
}

export type SessionModel = ReturnType<typeof createSession>;
