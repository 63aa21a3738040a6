/** A proxy in front of the ticket service that pauses the BFF's writes as a test asks. Reads always pass. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serve } from '../../scripts/serve.ts';

/** `before`: the service does not see the writes yet; `after`: it has executed them, and its answers wait. */
type When = 'before' | 'after';

export type Front = Awaited<ReturnType<typeof startFront>>;

export async function startFront(serviceUrl: string) {
  let paused: { when: When; arrive: () => void; released: Promise<void> } | null = null;

  async function pause(when: When): Promise<void> {
    if (paused?.when !== when) return;
    paused.arrive();
    await paused.released;
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request;
    const isWrite = method === 'POST';
    const body = await text(request);
    if (isWrite) await pause('before');
    // The client has disconnected, so the answer is not needed.
    if (response.destroyed) return;
    const answer = await fetch(new URL(url, serviceUrl), {
      method,
      headers: { Authorization: headers.authorization ?? '', 'Content-Type': 'application/json' },
      ...(isWrite ? { body } : {}),
    });
    const answerBody = await answer.text();
    if (isWrite) await pause('after');
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answerBody);
  }

  const { url, stop } = await serve((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });

  return {
    url,
    stop,
    /** `arrived` resolves when the first write has arrived, which is not passed on before `release`. */
    pauseWrites(when: When) {
      let arrive = () => {};
      let release = () => {};
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      paused = { when, arrive, released };
      return {
        arrived,
        release() {
          paused = null;
          release();
        },
      };
    },
  };
}
