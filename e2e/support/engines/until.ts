import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 10_000;

/**
 * Tries again until it works.
 * @throws the last error, after ten seconds
 */
export async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + patienceMs; ; await sleep(50)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
