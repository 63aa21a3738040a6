import { effect } from '@preact/signals';
import type { Models } from '../app/models.ts';
import { createCalls } from './calls.ts';
import { type ClientCalls, isCall } from './messages.ts';
import { Refused } from './refused.ts';
import { createState } from './state.ts';

/** The models of the app without its views: their state, and what a site's own interface may request. */
export function createHeadless(models: Models) {
  const { session } = models;
  const calls = createCalls(models);

  /**
   * Resolves once it is known who the customer is. SECURITY: until a token is exchanged, a text would be stored as the last
   * customer's.
   */
  const whenKnown = () =>
    new Promise<void>((resolve) => {
      const stop = effect(() => {
        if (session.isPending.value) return;
        resolve();
        queueMicrotask(() => stop());
      });
    });

  return {
    state: createState(models),
    /** Does what the page asks for, in the order in which it asks. @throws {Refused} */
    async answer(name: string, args: unknown[]): Promise<unknown> {
      await whenKnown();
      if (!isCall(name, args)) throw new Refused('invalid_request');
      return (calls[name as keyof ClientCalls] as (...given: unknown[]) => unknown)(...args);
    },
  };
}
