import type { Store } from '../browser/storage.ts';
import { keptName } from '../browser/storage.ts';
import { draftOwner } from '../new-ticket/drafts.ts';
import { sendOwner } from '../outbox/sends.ts';

/** Removes all that is stored, except what other signed-in customers wrote: that waits until they come back. */
export function clearStorage(storage: Store, leaving: unknown[]) {
  for (const name of storage.names('')) {
    const owner = draftOwner(name) ?? sendOwner(storage, name) ?? null;
    const isOthers = owner !== null && !leaving.includes(owner);
    if (!name.startsWith(keptName) && !isOthers) storage.remove(name);
  }
}
