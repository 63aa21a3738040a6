import type { Session } from '../../../bff/contract/session.ts';
import type { Store } from '../storage.ts';
import { computed, signal } from './signal.ts';

/** Non-identifying: says only that this browser has had a session here. */
const usedName = 'used';

/** Who the customer is to the BFF; null until it has said. */
export function createSession(storage: Store) {
  const current = signal<Session | null>(null);
  const isStored = () => storage.read(usedName) === true;
  const wasUsed = isStored();
  function put(session: Session) {
    current.value = session;
    if (session.customer) storage.write(usedName, true);
    else storage.remove(usedName);
  }
  return {
    current,
    /** Whether this browser, in whichever tab, has a session as far as is known. */
    isStored,
    /** Until the BFF has answered, what happened on earlier visits decides. */
    isUsed: computed(() => (current.value ? current.value.customer !== null : wasUsed)),
    put,
    /** The first submit made a session under this address, or (null) the BFF no longer knows this browser. */
    change(customer: Session['customer']) {
      put({ unread: 0, brand: null, claimable: 0, email_code: false, ...current.peek(), customer });
    },
  };
}

export type SessionModel = ReturnType<typeof createSession>;
