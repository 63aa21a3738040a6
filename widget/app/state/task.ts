import type { ApiFailure, Result } from '../api/result.ts';
import { signal } from './signal.ts';

/** What the customer asks for with a button: one thing at a time, and why it did not work. */
export function createTask() {
  const isBusy = signal(false);
  const failure = signal<ApiFailure | null>(null);
  return {
    isBusy,
    failure,
    async run<T>(call: () => Promise<Result<T>>, onDone: (value: T) => void) {
      if (isBusy.peek()) return;
      isBusy.value = true;
      failure.value = null;
      const result = await call();
      isBusy.value = false;
      if (result.ok) onDone(result.value);
      else failure.value = result.error;
    },
  };
}

export type TaskModel = ReturnType<typeof createTask>;
