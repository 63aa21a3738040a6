import type { Session } from '../../../bff/contract/session.ts';
import type { Store } from '../storage.ts';
import { computed, signal } from './signal.ts';

/** Non-identifying: true where this browser has had a session here, false where the customer has left it. */
const usedName = 'used';
/** The address of the customer who signed in last: what is kept here is theirs. */
const ownerName = 'owner';

/**
 * Who the customer is to the BFF; null until it has said. `onOther`: somebody else has signed in; `isStoredToo` is
 * false where another tab has cleared away already what was stored.
 */
export function createSession(storage: Store, onOther: (isStoredToo: boolean) => void) {
  const current = signal<Session | null>(null);
  let owner = storage.read(ownerName);
  const isStored = () => storage.read(usedName) === true;
  const wasUsed = isStored();

  /** `isSignIn`: the customer has just proven who they are. */
  function put(session: Session, isSignIn = false) {
    const { email: typed, verified = false } = session.customer ?? {};
    // As the BFF tells addresses apart.
    const email = typed?.toLowerCase() ?? null;
    const stored = storage.read(ownerName);
    if (email && (isSignIn || verified || stored === email)) {
      if (owner && owner !== email) onOther(stored !== email);
      owner = email;
      storage.write(ownerName, email);
    }
    current.value = session;
    if (session.customer) storage.write(usedName, true);
    else if (isStored()) storage.remove(usedName);
  }

  /** The first submit made a session under this address, or (null) the BFF no longer knows this browser. */
  const change = (customer: Session['customer']) =>
    put({
      brand: null,
      email_code: false,
      ...current.peek(),
      unread: 0,
      claimable: 0,
      transferable: 0,
      customer,
    });

  return {
    current,
    /** Whether this browser, in whichever tab, has a session as far as is known. */
    isStored,
    /** Until the BFF has answered, what happened on earlier visits decides. */
    isUsed: computed(() => (current.value ? current.value.customer !== null : wasUsed)),
    put,
    change,
    /** Whether the customer has left, in whichever tab, and nobody has come since. */
    hasLeft: () => storage.read(usedName) === false,
    /** False: the customer leaves. Other tabs hear of it, and no session that has ended is got back from then on. */
    mark: (isUsed: boolean) => storage.write(usedName, isUsed),
    /** After it only the operator's own settings are known. */
    forget() {
      owner = null;
      change(null);
    },
  };
}

export type SessionModel = ReturnType<typeof createSession>;
