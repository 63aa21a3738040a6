import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';

const everyMs = 25;

/**
 * Repeatedly checks whether a server is alive. The duration of a check is the time for which this machine has delayed
 * the server or this process; the server itself never delays it. Durations up to `graceMs` do not count. Real Unix
 * milliseconds.
 */
export function startHeartbeat(url: () => string | null, graceMs: number) {
  const beats: { at: number; heldUpMs: number }[] = [];
  const over = new AbortController();

  async function beat(base: string | null): Promise<void> {
    const startedAt = performance.now();
    await sleep(everyMs, undefined, { signal: over.signal });
    // A server that is down gives no information about the machine.
    if (base !== null)
      await request(`${base}/livez`).then(
        ({ body }) => body.dump(),
        () => undefined,
      );
    beats.push({ at: Date.now(), heldUpMs: performance.now() - startedAt - everyMs });
  }
  const beating = (async () => {
    while (!over.signal.aborted) await beat(url()).catch(() => undefined);
  })();

  return {
    heldUpMs: (fromMs: number, toMs: number): number =>
      beats
        .filter(({ at }) => at >= fromMs && at <= toMs)
        .reduce((sum, { heldUpMs }) => sum + (heldUpMs > graceMs ? heldUpMs : 0), 0),
    async stop(): Promise<void> {
      over.abort();
      await beating;
    },
  };
}
