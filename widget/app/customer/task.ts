import type { ApiFailure, Result } from '../api/result.ts';
import { batch, signal } from '@preact/signals';

/** Runs one request of the account views at a time, and keeps why the last one failed. */
export function createTask() {
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
