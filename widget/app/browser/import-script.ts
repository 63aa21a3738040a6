import { ScriptGone } from './deferred.ts';

/** Time-out of the check whether the BFF can be reached. */
const askMs = 10_000;

/**
 * Imports a script; after a failure once more, when the BFF can be reached.
 * @throws {ScriptGone} when it cannot be loaded on this page any more
 */
export const importScript =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await load();
    } catch {
      await fetch(location.pathname, {
        method: 'HEAD',
        cache: 'no-store',
        signal: AbortSignal.timeout(askMs),
      });
      try {
        return await load();
      } catch {
        // The script is of another build, or the browser caches the failed import until a reload, as Firefox does.
        throw new ScriptGone();
      }
    }
  };
