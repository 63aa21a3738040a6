import { signal } from '@preact/signals';
import type { CustomerData, Device } from '../../../shared/contract/customer-data.ts';
import type { AccountOptions } from './api.ts';

/** What is stored of the customer: their devices, a copy of it, and its deletion. */
export function createData({ api, view, customer }: AccountOptions) {
  const { task, leaveBy } = customer;
  const devices = signal<readonly Device[]>([]);
  /** The customer has asked to delete it, and reads what that means. */
  const isDeleting = signal(false);

  return {
    devices,
    isDeleting,
    load: () =>
      task.run(api.devices, (found) => {
        if (view.current.peek().name === 'data') devices.value = found;
      }),
    /** `save` gets the text of a file. */
    download: (save: (json: string) => void) =>
      task.run(api.data, (found: CustomerData) => save(JSON.stringify(found, null, 2))),
    signOutEverywhere: (said: string) => leaveBy(api.signOutEverywhere, said),
    /** Refused as `operation_in_progress` while something of theirs is still to be delivered. */
    deleteAll: (said: string) => leaveBy(api.deleteData, said),
    ask(isAsked: boolean) {
      task.failure.value = null;
      isDeleting.value = isAsked;
    },
    /** The view was left. */
    forget() {
      devices.value = [];
      isDeleting.value = false;
    },
  };
}

export type DataModel = ReturnType<typeof createData>;
