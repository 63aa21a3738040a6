import { computed, signal } from '@preact/signals';
import { type Store, keptName } from './browser/storage.ts';
import type { SessionModel } from './customer/session.ts';

/** Stored: the customer has made the panel wider, in this browser. */
const wideName = `${keptName}wide`;

/**
 * The width of the panel, for customers with conversations. Each view has the same, so that the panel keeps its place on
 * the way between them.
 */
export function createWidth(storage: Store, { isUsed }: SessionModel) {
  const isWanted = signal(storage.read(wideName) === true);
  return {
    isWide: computed(() => isWanted.value && isUsed.value),
    toggle() {
      isWanted.value = !isWanted.peek();
      storage.write(wideName, isWanted.peek());
    },
  };
}
